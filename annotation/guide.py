"""The project's instructions, as Label Studio shows them: the guide in one screen."""

from __future__ import annotations

INSTRUCTIONS = """
<h3>What you do</h3>
<p>You see one dialogue of a user with an assistant that can call functions. A program wrote it. Make the form at the
right say what a careful assistant <b>should</b> have done, then accept the session, or reject it with a reason.
Yellow lines show what automatic checks doubt: look there first.</p>
<ol>
<li><b>Type</b>: <i>single</i> one call; <i>multi</i> two or more; <i>clarify</i> a required value is missing, so the
assistant must ask first; <i>chat</i> no call.</li>
<li><b>Topology</b> of a multi task: <i>sequential</i> each call waits for the one before; <i>parallel</i> none waits;
<i>mixed</i> some wait.</li>
<li><b>Hidden intent</b>: <i>partial_information</i> a value is left out since an earlier turn said it;
<i>coreference</i> a value is pointed at ("it", "the second one"); <i>long_range</i> the missing piece is more than two
user turns back.</li>
<li><b>Calls</b>: keep, change, delete, or add one in the first unused slot. Arguments are JSON and must fit the
function. Only values that the user said, an earlier result shows, or the clock gives.</li>
<li><b>Must wait for</b>: B waits for A if B needs A's result, if B only makes sense when A succeeded, or if the user's
words put A first. Not merely because A is written first.</li>
<li><b>Other right values</b>: list them only where a second answer is as right as the first.</li>
</ol>
<p>To edit a text click its pencil, change it, click the tick. Shift and a letter choose (shown beside the choices):
each task has a row of the keyboard; Shift+O accepts, Shift+P rejects. They rest while a box or a text has the focus.</p>
"""
