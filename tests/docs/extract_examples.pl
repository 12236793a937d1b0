# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the C++ examples of a page into files: perl extract_examples.pl PAGE.md FOLDER
# The first line of each example, "// views/network_size.cpp", names its file: FOLDER/network_size.cpp. What follows its
# includes is put into namespace credence.
use strict;
use warnings;

my ($page, $folder) = @ARGV;
open my $in, '<', $page or die "$page cannot be read\n";
local $/;
my $text = <$in>;
while ($text =~ m{^```cpp\n(// (?:\w+/)*(\w+\.cpp)\n.*?)^```$}gms) {
    my ($code, $name) = ($1, $2);
    $code =~ s/^((?:(?:\/\/|#include)[^\n]*\n|\n)+)(?=[^\n])/$1namespace credence {\n/;
    $code .= "}\n";
    my $file = "$folder/$name";
    open my $out, '>', $file or die "$file cannot be written\n";
    print $out $code;
    close $out or die "$file cannot be written\n";
}
