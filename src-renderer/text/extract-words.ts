/** Words about steps that become a workflow of their own, and about calls that are written out again. */

import type { ExpandRefusalCode } from '../../src-engine/model/extraction/expand.ts'
import type { ExtractRefusalCode } from '../../src-engine/model/extraction/selection-shape.ts'

export const extractWords = {
  title: 'Make a sub-workflow',
  lead: '{count} become a workflow of their own; one step here calls it.',
  oneStep: '1 step',
  steps: '{count} steps',
  name: 'Name',
  gets: 'It gets',
  gives: 'It gives back',
  arrives: 'what arrives here',
  resultOf: 'the result of “{title}”',
  item: 'the item of the map around it',
  loop: 'the turn of the loop around it',
  run: 'what is known of this run',
  vars: 'the values of this workflow',
  all: 'what its last steps give',
  notPossible: 'These steps can’t be taken out as they are.',
  asTask: 'Then save the step that calls it as a task …',
  make: 'Make it',
  made: '“{title}” is a workflow of its own now.',
  madeHint: 'Undo brings the steps back; its file stays.',
  open: 'Open it',
  expanded: 'The steps of “{title}” stand here now.',
  settingsLost: 'What it said of {settings} has nobody to hold for any more.',
  notExpanded: 'This call can’t be written out.',
  notFound: 'The workflow “{reference}” isn’t in the library.',
  extractEdit: 'Make a sub-workflow',
  expandEdit: 'Write out a sub-workflow',
} as const

/** Why steps can't become a workflow of their own; `{steps}` are those that are meant. */
export const extractRefusals: Readonly<Record<ExtractRefusalCode, string>> = {
  nothing_selected: 'Select the steps first.',
  several_levels:
    'They stand in different maps or loops. Select steps of one of them, or the map or loop itself.',
  unknown_kind: 'Nobody here knows what {steps} does, so nobody knows where it leads.',
  ends_the_run: '{steps} ends the whole run; in there it would only end the sub-workflow. Leave it out.',
  leaves_its_loop:
    '{steps} leaves a loop that isn’t part of the selection. Take the whole loop, or leave it out.',
  several_ways_in:
    'Work comes in at {steps} from different places, and a sub-workflow begins in one. Select what leads there, too, or less.',
  several_ways_out:
    'Work goes on from {steps}, and a sub-workflow has one way out. Select what follows, too, or bring them together with a join first.',
  way_out_by_port:
    '{steps} decides which way the work goes on, and a sub-workflow has one way out. Select its ways, too, or leave it out.',
  way_back_in: 'A way leads out of the selection at {steps} and back in. Select what lies between, too.',
  end_not_certain:
    'Work doesn’t come to {steps} in every case, and what follows a sub-workflow always goes on. Select what decides it, too, or leave it out.',
  undone_elsewhere: '{steps} also undoes steps that aren’t selected.',
  group_cut:
    'Only some of a group that is undone together are selected. Select all of it, or ungroup it first.',
  read_by_computed_name:
    'An expression of {steps} reads steps by a name that only the run knows. Write the names out first.',
  reads_whole_step: '{steps} reads more of a selected step than its output. Read `.output` there.',
  reads_later_step: '{steps} reads a step that doesn’t run before it.',
  code_reads_run:
    'The program of {steps} reads `run`, which would be another one in there. Hand it over as input first.',
  result_changes:
    'The work ends with {steps} and elsewhere at a time, so the workflow would give something else. Select all of its ends, or say in the settings what it gives.',
}

/** Why a call can't be written out; `{what}` is what is meant. */
export const expandRefusals: Readonly<Record<ExpandRefusalCode, string>> = {
  not_a_call: 'Select a step that calls a sub-workflow.',
  not_waited_for: 'It starts the other workflow and goes on at once; steps that stand here are waited for.',
  has_policy:
    'The call says more than which workflow it calls ({what}); steps in its place could not stand for that.',
  no_steps: 'That workflow has no steps.',
  unknown_kind: 'Nobody here knows what its steps {what} do.',
  ends_the_run: 'Its step {what} would end the whole run here.',
  values_differ: 'Both workflows have a value of the same name that differs: {what}.',
  name_taken:
    'Its steps {what} would need other ids here, by which a join of it tells its data apart. Rename the steps of this workflow first.',
  read_by_computed_name: 'Its steps {what} read other steps by a name that only the run knows.',
  reads_whole_run: 'Its steps {what} read all of `run`, which is another one here.',
  code_reads_run: 'The programs of its steps {what} read `run`, which is another one here.',
  end_not_certain: 'It can end without coming to {what}; here, what follows would not go on then.',
}
