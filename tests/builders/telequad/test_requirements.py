"""Requirements: what somebody shall do, send, start and set, when, and who shall do it."""

from pathlib import Path

import pytest
from asking_specifications import check, specification

from benchwright.builders.documents.folder import read_documents
from benchwright.builders.documents.sections import sections
from benchwright.builders.documents.tree import Document
from benchwright.builders.telequad.own.write import write_specifications
from benchwright.builders.telequad.questions.asked import Specification
from benchwright.builders.telequad.questions.requirements import requirements

SENT = "The station shall send the LINK REQUEST message to the anchor, start timer T1 and enter the ACCESSING state."
RECEIVED = "Upon receipt of the LINK ACCEPT message, specified in clause 6.3, the station shall stop timer T1 and wait."
CASES = [
    ("what one sends, starts and enters", SENT, {
        "which timer shall the station start when it sends the LINK REQUEST message to the anchor?": "T1",
        "which state shall the station enter when it sends the LINK REQUEST message to the anchor?": "ACCESSING",
        "which entity shall send the LINK REQUEST message to the anchor?": "station",
        "which entity shall start timer T1?": "station",
        "which entity shall enter the ACCESSING state?": "station"}),
    ("what one does upon receipt", RECEIVED, {
        "what shall the station do upon receipt of the LINK ACCEPT message?": "stop timer T1 and wait",
        "which timer shall the station stop upon receipt of the LINK ACCEPT message?": "T1",
        "which entity shall stop timer T1 upon receipt of the LINK ACCEPT message?": "station"}),
    ("capitals of an RFC", "A server MUST send a GOAWAY frame if the client opens stream 0.", {
        "what must a server do if the client opens stream 0?": "send a GOAWAY frame",
        "which frame must a server send if the client opens stream 0?": "GOAWAY",
        "when must a server send a GOAWAY frame?": "the client opens stream 0",
        "which entity must send a GOAWAY frame if the client opens stream 0?": "server"}),
    ("what a thing is treated as", "A PRIORITY frame with a length other than 5 octets MUST be treated as a stream error "
     "(Section 5.4.2) of type FRAME_SIZE_ERROR. An endpoint MUST treat the PRIORITY frame of a closed stream as an error "
     "of type PROTOCOL_ERROR.", {
        "what must a PRIORITY frame with a length other than 5 octets be treated as?":
            "a stream error (Section 5.4.2) of type FRAME_SIZE_ERROR",
        "what must an endpoint treat the PRIORITY frame of a closed stream as?": "an error of type PROTOCOL_ERROR",
        "which entity must treat the PRIORITY frame of a closed stream as an error of type PROTOCOL_ERROR?":
            "endpoint"}),
    ("what a thing contains", "PING frames MUST contain 8 octets of data.", {
        "what must PING frames contain?": "8 octets of data"}),
    ("what may be done besides", "A PING frame MUST be sent by the client and MAY be sent by the server.", {}),
    ("one event in two wordings", "Upon receiving the PING frame, the client shall start timer T1. The client shall start "
     "timer T2 when it receives the PING frame. The client shall start timer T3 upon receipt of the PING frame.", {
        "which entity shall start timer T1 upon receiving the PING frame?": "client",
        "when shall the client start timer T1?": "Upon receiving the PING frame",
        "which entity shall start timer T3 upon receipt of the PING frame?": "client",
        "when shall the client start timer T3?": "upon receipt of the PING frame"}),
    ("what only says that a timer runs", "If timer T1 is currently running, the client shall stop timer T1.", {}),
    ("no whole condition", "If possible, the client must send the PING frame. "
     "The client must, when asked by X1, wait.", {}),
    ("a case that another sentence may tell of too", "If PING is late, the server must send the GOAWAY frame to the "
     "client. A server that stops must do so after the GOAWAY frame.", {
        "what must the server do if PING is late?": "send the GOAWAY frame to the client",
        "which frame must the server send to the client if PING is late?": "GOAWAY",
        "which entity must send the GOAWAY frame to the client if PING is late?": "server"}),
    ("a list of settings", "In the LINK REQUEST message, specified in clause 6.2, the station shall:\n\n- set the Number IE "
     "to its own number; and\n- include the Battery IE if the station is powered by a battery.", {
        "to what shall the station set the Number IE in the LINK REQUEST message?": "its own number",
        "when shall the station include the Battery IE in the LINK REQUEST message?":
            "the station is powered by a battery"}),
    ("a list of values", "The Cause IE, coded as in clause 7.1, shall be set to:\n\n- #0 (cell full), if the anchor serves "
     "64 stations; or\n- #1 (no channel), if no channel is free.", {
        "what shall the Cause IE be set to if the anchor serves 64 stations?": "#0 (cell full)",
        "what shall the Cause IE be set to if no channel is free?": "#1 (no channel)"}),
    ("two answers to one question", f"{RECEIVED}\n\nUpon receipt of the LINK ACCEPT message, the station shall leave "
     "timer T7 running.", {
        "which timer shall the station stop upon receipt of the LINK ACCEPT message?": "T1",
        "which entity shall stop timer T1 upon receipt of the LINK ACCEPT message?": "station",
        "which entity shall leave timer T7 running upon receipt of the LINK ACCEPT message?": "station",
        "when shall the station leave timer T7 running?": "Upon receipt of the LINK ACCEPT message"}),
    ("one of several duties", f"{RECEIVED}\n\nUpon receipt of the LINK ACCEPT message, the station shall:\n\n- stop timer "
     "T2; and\n- ignore the PILOT tone.", {
        "which entity shall stop timer T1 upon receipt of the LINK ACCEPT message?": "station"}),
    ("the answer in the question", "On expiry of timer T1, the station shall restart timer T1.", {
        "what shall the station do on expiry of timer T1?": "restart timer T1",
        "when shall the station restart timer T1?": "On expiry of timer T1",
        "which entity shall restart timer T1 on expiry of timer T1?": "station"}),
    ("a pronoun", "If the anchor is full, it shall send the LINK REJECT message to the station.", {}),
    ("a negation", "Upon receipt of the LINK REJECT message, the station shall not send the LINK REQUEST message.", {}),
    ("an exception", "Upon receipt of the LINK REJECT message, the station shall stop timer T1 unless T2 runs.", {}),
    ("two conditions", "Upon receipt of the LINK REQUEST message, if timer T2 runs, the anchor shall stop timer T2.", {}),
    ("an open list", "Upon receipt of the LINK REQUEST message, the anchor shall:\n\n- stop timer T2;\n- do so at once.",
     {"which timer shall the anchor stop upon receipt of the LINK REQUEST message?": "T2"}),
    ("another case", "The anchor shall otherwise send the LINK REJECT message to the station, and stop timer T2.", {}),
    ("no name", "If the request is refused, the server must close the connection.", {}),
    ("a note", "> NOTE: Upon receipt of the LINK REJECT message, the station shall stop timer T1.\n\nNOTE: Upon receipt of "
     "the LINK REJECT message, the station shall stop timer T1.", {}),
    ("no duty", "Upon receipt of the LINK REJECT message, the station may stop timer T1.", {}),
]  # fmt: skip


NOT_PLAIN = """\
A client that supports EXT-1 MUST send the EXT header field and a server that supports EXT-1 MUST answer with ACK.
Both peers MUST send the HELLO frame, and each MUST wait for T2.
The client MUST, upon receipt of the RETRY frame, send the ACK frame.
Unless the QoS flag is set, the server MUST send the NACK frame.
Only the server MUST send the GOAWAY frame.
A server MUST send the GOAWAY frame before closing the connection C1, as otherwise the client cannot know.
The value of the Max-Age field MUST be a number of seconds; it MUST NOT exceed 3600.
For IPv6, the router MUST set the Hop Limit field to 255.
The AMF shall, if the UE is registered, send the NOTIFY message to the SMF.
The UE shall send the DETACH message to the MME, start timer T3421 and, if T3410 runs, stop timer T3410.
The UE shall be in one of the following states: IDLE or BUSY.
What the UE shall send is the X1 message.
It is assumed that the UE shall send the Y1 message to the MME.
As the UE shall send Z1, the MME waits.
Example: the UE shall send the V1 message to the MME when T8 expires.
The procedure in which the UE shall send the U1 message to the MME is optional.
Shall the UE send the T1 message to the MME?
If the UE receives the CMD message, it shall send the RSP message to the MME.
In this case, the UE shall send the RSP message to the MME.
Such a UE shall send the RSP message to the MME.
The UE shall do so when timer T7 expires.
The UE shall follow the procedure described in RFC 9999 when timer T7 expires.
"""


@pytest.mark.parametrize("sentence", NOT_PLAIN.splitlines())
def test_what_is_not_stated_plainly_is_not_asked(tmp_path: Path, sentence: str) -> None:
    assert list(requirements(specification(tmp_path, f"# 5 Procedures\n\n{sentence}\n"))) == []


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_asked(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    given = specification(tmp_path, f"# 5 Procedures\n\n{text}\n")
    found = {}
    for asked in requirements(given):
        check(asked, given)
        place = asked.answers[0]
        wording = asked.wordings["interrogative"][0].removeprefix("According to ZZZ 1.234, ")
        found[wording] = given.sections[asked.context].text[place.start : place.end]
    assert found == expected


def test_the_same_duty_twice_is_one_question_with_both_places(tmp_path: Path) -> None:
    given = specification(tmp_path, f"# 5 Procedures\n\n{RECEIVED}\n\n{RECEIVED}\n\n# 6 More\n\n{RECEIVED}\n")
    asked = next(iter(requirements(given)))
    assert len(asked.answers) == 2
    assert [each.section for each in asked.stated] == [0, 0, 1]


def test_our_own_specifications(tmp_path: Path) -> None:
    write_specifications(tmp_path)
    found = {}
    for document in read_documents(tmp_path):
        assert isinstance(document, Document)
        given = Specification(document.name, document.title.split(" V")[0], tuple(sections(document)))
        asked = list(requirements(given))
        for each in asked:
            check(each, given)
        found[given.called] = len(asked)
    assert found == {"LCS 21.104": 90, "LCS 34.210": 92, "LCS 47.015": 94}
