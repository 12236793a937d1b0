# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the direction of includes. The tables of docs/architecture.md list the modules of core/ and the folders of app/;
# each may include only from those above it. core/ includes neither Qt nor a folder of the window, and only its source
# files include TBB, Boost or all of the JSON library. widgets/ includes from charts, simplex and foundation.
#
#   perl check_includes.pl ROOT [FILE MODULE]     checks FILE as if it were in core/MODULE or app/MODULE
use strict;
use warnings;
use File::Find;

my ($root, $file, $module) = @ARGV;
open my $page, '<:encoding(UTF-8)', "$root/docs/architecture.md" or die "docs/architecture.md cannot be read\n";
my (%rank, @table);
while (<$page>) {
    @table = ('core') if /^\| module of `core\/`/;
    @table = ('app')  if /^\| folder of `app\/`/;
    @table = ()       if /^\s*$/;
    next unless @table && /^\| (`\w+`(?:, `\w+`)*) \|/;
    $rank{$table[0]}{$_} = scalar keys %{$rank{$table[0]}} for $1 =~ /`(\w+)`/g;
}

my ($mistakes, $looked) = (0, 0);
sub mistake { printf "%s: %s\n", @_; ++$mistakes; }

# $side is core, app or widgets; $own is the module of the file.
sub look {
    my ($path, $shown, $side, $own) = @_;
    ++$looked;
    mistake($shown, "the module $own of $side/ is not in the table of docs/architecture.md") if $side ne 'widgets' && !defined $rank{$side}{$own};
    open my $source, '<:encoding(UTF-8)', $path or die "$path cannot be read\n";
    while (<$source>) {
        next unless /^\s*#\s*include\s*([<"])([^>"]+)[>"]/;
        my ($kind, $name) = ($1, $2);
        if ($kind eq '<') {
            next unless $side eq 'core';
            mistake($shown, "includes <$name>: no Qt in core") if $name =~ /^Q[A-Z]|^qcustomplot/;
            mistake($shown, "a header includes <$name>, which only source files may") if $path =~ /\.h$/ && $name =~ m{^(oneapi/)?tbb/|^boost/|^nlohmann/json\.hpp$};
            next;
        }
        my ($to) = $name =~ m{^(\w+)/} or next;
        if ($side eq 'widgets') {
            mistake($shown, "includes $name: widgets may include only charts, simplex and foundation") if $to !~ /^(widgets|charts|simplex|foundation)$/;
            next;
        }
        # core/ and app/ have folders of the same names: the file decides which is meant.
        next if $side eq 'app' && !-e "$root/app/$name";
        if ($side eq 'core' && !-e "$root/core/$name" && (-e "$root/app/$name" || $to eq 'widgets')) {
            mistake($shown, "includes $name: core must not include the window");
        } elsif (defined $rank{$side}{$to}) {
            mistake($shown, "includes $name, and $to is below $own") if defined $rank{$side}{$own} && $rank{$side}{$to} > $rank{$side}{$own};
        }
    }
}

if (defined $file) {
    look($file, $file, (defined $rank{core}{$module} ? 'core' : 'app'), $module);
} else {
    for my $side (qw(core app widgets)) {
        find({no_chdir => 1, wanted => sub {
            return unless /\.(h|cpp)$/;
            my ($shown) = m{^\Q$root\E/(.*)};
            my ($own) = $shown =~ m{^$side/(\w+)/};
            return if $side eq 'app' && !defined $own;   # main.cpp
            look($_, $shown, $side, $own // '');
        }}, "$root/$side");
    }
    die "only $looked files found\n" if $looked < 900;
}
print "$looked files, $mistakes includes in the wrong direction\n";
exit($mistakes ? 1 : 0);
