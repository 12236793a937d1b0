#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-3.0-or-later
# check_citations.pl FOLDER [FILE...]: checks the citations in the sources, the help and the documents of FOLDER, or only in FILEs:
#   - every "Name 2015", "Name and Name 2015", "Name, Name and Name 2015" and "Name et al. 2015" has its entry in docs/references.md, with these authors;
#   - every "docs/maths.md, section 7" has its heading there, and every file that docs/maths.md names exists;
#   - no paper is cited by one letter, and no text that users read names a document of ours.
use strict;
use warnings;
use utf8;

binmode STDOUT, ':utf8';

my ($root, @files) = @ARGV;
defined $root or die "usage: check_citations.pl FOLDER [FILE...]\n";
chdir $root or die "no folder $root\n";

sub text_of { my ($file) = @_; local $/; open my $in, '<:utf8', $file or die "cannot read $file\n"; my $text = <$in>; return $text; }

# Entries: - <a id="posch-2021"></a>**Posch and Pilz 2021.** …
my $references = text_of('docs/references.md');
my (%authors, %anchors);
while ($references =~ /^- <a id="([^"]+)"><\/a>\*\*(.+?)\.\*\*/smg) {
    my ($anchor, $title) = ($1, $2);
    $title =~ s/\s+/ /g;   # wrapped
    die "docs/references.md: the anchor $anchor appears twice\n" if $anchors{$anchor}++;
    next unless $title =~ /^(.+) (\d{4})$/;
    my @names = split /, | and /, $1;
    push @{$authors{"$names[0] $2"}}, \@names;
}

$anchors{lc(s/ /-/gr)} = 1 for $references =~ /^## (.+)$/mg;

my $maths = text_of('docs/maths.md');
my %sections = map { $_ => 1 } $maths =~ /^## (\d+)\. /mg;

my $n_files = @files;
if (!@files) {
    open my $list, '-|', 'find', qw(core app widgets tests resources datasets docs README.md CONTRIBUTING.md CHANGELOG.md -type f) or die "no find\n";
    @files = grep { /\.(h|cpp|md|json|txt|cmake|sh)$/ && !m{^tests/(fuzz/seeds|reference/\w+\.json)|^docs/references\.md$|^tests/docs/} } map { chomp; $_ } <$list>;
}

my ($cited, $wrong) = (0, 0);
sub finding { my ($file, $what) = @_; print "$file: $what\n"; $wrong++; }

my $name = qr/(?:(?:van|von|der|de) )*\p{Lu}[\p{L}’'-]*\p{Ll}/;
for my $file (sort @files) {
    my $text = text_of($file);
    my $internal = 'MAT' . 'HS.md';
    finding($file, "names $internal") if $text =~ /\Q$internal\E/;
    if ($file =~ /\.(h|cpp|cpp\.txt)$/) {
        finding($file, "a text for users names a document of ours: $1") while $text =~ /"([^"\n]*docs\/\w+\.md[^"\n]*)"/g;
        finding($file, "cites a paper by one letter: $1") while $text =~ /^.*\/\/.*?((?<![\w\/])[PSHBF] (?:Figs?\. \d|Tables? [\dIV]|Algorithm \d|sections? \d|\(\d+\.\d+\)|\d\.\d\b(?! *[*+])).*)$/mg;
    } elsif ($file =~ m{^resources/} && $file ne 'resources/gallery.json') {   # which says where more is written of each entry
        finding($file, "a text for users names a document of ours: $1") while $text =~ /(docs\/\w+\.md|\w+\.md, section \d+)/g;
    }
    # A citation may run over lines of a comment, a string or a paragraph.
    $text =~ s/"\s*\n\s*"//g;
    $text =~ s/University of \p{Lu}\p{L}+, (?=\d)//g;   # the place of a thesis
    $text =~ s/\s*\n\s*(?:\/\/[\/!]?<?|#|>)?\s*/ /g;
    while ($text =~ /docs\/maths\.md, sections? (\d+)(?: and (\d+))?/g) {
        for my $section (grep { defined } $1, $2) {
            $cited++;
            finding($file, "docs/maths.md has no section $section") unless $sections{$section};
        }
    }
    finding($file, 'docs/references.md has no anchor ' . $1) for grep { !$anchors{$_} } $text =~ /references\.md#([\w-]+)/g;
    while ($text =~ /($name)(?:((?:, $name)*),? (?:and|&) ($name)|( et al\.))?,? \(?((?:18|19|20)\d\d)\b(?![,.]?\d)/g) {
        my ($first, $more, $last, $et_al, $year) = ($1, $2, $3, $4, $5);
        my $citation = $first . ($more // '') . ($last ? " and $last" : '') . ($et_al // '') . " $year";
        my @named = ($first, (grep { length } split /, /, $more // ''), $last // ());
        $cited++;
        my @entries = @{$authors{"$first $year"} // []};
        @entries = $et_al ? grep { @$_ > 2 } @entries : grep { "@$_" eq "@named" } @entries;
        finding($file, "cites $citation, which docs/references.md does not have") unless @entries;
    }
}
for my $named ($maths =~ /`(tests\/reference\/\w+\.json)`/g) { finding('docs/maths.md', "names $named, which does not exist") unless -e $named; }
if (!$n_files && $cited < 100) { finding('check_citations.pl', "only $cited citations found: does it look where they are?"); }
printf "%d citations in %d files, %d findings\n", $cited, scalar @files, $wrong;
exit($wrong ? 1 : 0);
