/** Errors of steps that steer a run: joins, maps, loops, stops, and waits for signals. */

import { entry } from './error-entry.ts'

export const flowErrorCatalogue = {
  join_unsatisfied: entry(
    'Not enough branches arrived at the join.',
    'Lower the number it waits for, or make sure that the branches are taken.',
  ),
  map_items_failed: entry(
    'More items of the map failed than it tolerates.',
    'Look at the failed items, or let the map tolerate more of them.',
  ),
  map_too_many_items: entry(
    'The map has more items than it can work on at once.',
    'Split the list, for example by batches that sub-workflows work on.',
  ),
  run_of_other_tenant: entry(
    'The run belongs to another tenant.',
    'A step may cancel or signal runs of its own tenant only.',
  ),
  run_not_begun: entry(
    'The run has been started, and isn’t there yet.',
    'Try again in a moment; a step does by itself with more attempts (Settings → Retry).',
    true,
  ),
  too_many_runs_meant: entry(
    'More runs are meant than the step may ask for something.',
    'Nothing was asked of any of them. Mean fewer, raise the limit, or let it take only so many.',
  ),
  no_other_runs: entry(
    'There are no other runs where this step is tried.',
    'Run the workflow in an engine with a store of its own.',
  ),
  not_in_a_loop: entry(
    'The step leaves a loop, and there is none around it.',
    'Put it into the loop that it is to leave.',
  ),
  join_timeout: entry(
    'Not all branches came in the time that the join waits for them.',
    'Look at what the late branches were at, wait longer, or let the join leave by its timeout way.',
  ),
  loop_limit_reached: entry(
    'The loop reached its maximum of turns and its condition still asks for more.',
    'Correct the condition, raise the maximum, or let the loop go on with its last value.',
  ),
  run_stopped: entry(
    'A stop step ended the run as failed.',
    'Read its message, and look at the steps before it.',
  ),
  signal_timeout: entry(
    'The signal did not come in time.',
    'Send it earlier, wait longer, or let the step leave by its timeout port.',
  ),
  signal_payload_invalid: entry(
    'What the signal carries doesn’t fit the step that waits for it.',
    'Send it again with a payload that fits the step’s schema.',
  ),
  signal_buffer_full: entry(
    'The run keeps as many signals as it can, and nobody takes them.',
    'Wait until a step of the run has taken some, then send the signal again.',
  ),
} as const
