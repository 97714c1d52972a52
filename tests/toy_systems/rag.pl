# A system in Perl that knows one answer, returns no id, and talks to itself on stdout.
use strict;
use warnings;
use JSON::PP;
$| = 1;

while (my $line = <STDIN>) {
    my $request = decode_json($line);
    print "looking for \x01 " . length($request->{question}) . " characters\n";
    print encode_json({ answer => "31 metres", contexts => ["Gannet Rock has a height of 31 metres."] }), "\n";
}
