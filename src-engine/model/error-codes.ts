/** The catalogue of error codes: title (what happened, in general), hint (what to do next), retryable. */

import { approvalErrorCatalogue } from './approval-error-codes.ts'
import { clusterErrorCatalogue } from './cluster-error-codes.ts'
import { crashErrorCatalogue } from './crash-error-codes.ts'
import { customTaskErrorCatalogue } from './custom-task-error-codes.ts'
import type { ErrorEntry } from './error-entry.ts'
import { entry } from './error-entry.ts'
import { exchangeErrorCatalogue } from './exchange-error-codes.ts'
import { fileWatchErrorCatalogue } from './file-watch-error-codes.ts'
import { flowErrorCatalogue } from './flow-error-codes.ts'
import { outputErrorCatalogue } from './output-error-codes.ts'
import { policyErrorCatalogue } from './policy-error-codes.ts'
import { redisErrorCatalogue } from './redis-error-codes.ts'
import { rehearsalErrorCatalogue } from './rehearsal-error-codes.ts'
import { sagaErrorCatalogue } from './saga-error-codes.ts'
import { sealErrorCatalogue } from './seal-error-codes.ts'
import { streamErrorCatalogue } from './stream-error-codes.ts'
import { taskErrorCatalogue } from './task-error-codes.ts'
import { teleportErrorCatalogue } from './teleport-error-codes.ts'
import { triggerErrorCatalogue } from './trigger-error-codes.ts'
import { trustErrorCatalogue } from './trust-error-codes.ts'
import { vaultErrorCatalogue } from './vault-error-codes.ts'
import { webhookErrorCatalogue } from './webhook-error-codes.ts'

export const errorCatalogue = {
  // Documents
  document_unreadable: entry(
    'The workflow file is not valid JSON.',
    'Fix the place named in the message, or restore the file from a backup. The file was left untouched.',
  ),
  document_too_large: entry(
    'The workflow file is too large.',
    'Split the workflow, or move data out of it into files.',
  ),
  document_too_new: entry(
    'The workflow was saved by a newer Sagasmith.',
    'Update Sagasmith to open it. The file was left untouched.',
  ),
  document_invalid: entry(
    'The workflow has problems that keep it from running.',
    'Fix the listed problems, then run it again.',
  ),
  document_changed_on_disk: entry(
    'The file was changed by another program since it was opened.',
    'Save under another name, or reload the file and repeat your change.',
  ),
  file_not_found: entry('There is no such file.', 'Check the path and try again.'),
  file_not_accessible: entry(
    'The file could not be read or written.',
    'Check that the path exists and that you may access it.',
  ),
  // Requests
  bad_request: entry('The request does not have the expected form.', 'Check the named fields.'),
  input_invalid: entry(
    'The input does not fit the workflow’s input form.',
    'Correct the named fields and start again.',
  ),
  unknown_method: entry(
    'The engine does not know this request.',
    'Make sure the app and the engine have the same version.',
  ),
  run_not_found: entry('There is no such run.', 'List the runs with `sagasmith runs list`.'),
  workflow_not_found: entry(
    'There is no such workflow version.',
    'Publish the workflow first, or check the hash.',
  ),
  invocation_not_found: entry('There is no such step in this run.', 'Open the run and pick a step from it.'),
  run_already_final: entry('The run has already ended.', 'Start a new run.'),
  run_not_final: entry(
    'The run is still under way.',
    'Wait for its end with `sagasmith runs wait`, or cancel it first.',
    true,
  ),
  run_not_retryable: entry(
    'A run that ended this way can’t go on.',
    'Run it again as a whole with `sagasmith runs rerun`.',
  ),
  nothing_to_retry: entry(
    'No step of the run failed, was cancelled or timed out.',
    'Name the step to begin with, or run it again as a whole with `sagasmith runs rerun`.',
  ),
  step_not_retryable: entry(
    'The run can’t go on from this step.',
    'Go on from a step before it, or without a step of choice.',
  ),
  kept_results_do_not_fit: entry(
    'Results of the run don’t fit the other version of its workflow.',
    'Go on from the first of the named steps, stay on the version of the run, or run it again as a whole.',
  ),
  run_paused: entry('The run is paused.', 'Resume the run with `sagasmith runs resume`.'),
  dead_letter_not_found: entry(
    'There is no such dead letter.',
    'List them with `sagasmith dlq list`: somebody may have dealt with it already.',
  ),
  dead_letter_unwritten: entry(
    'The dead letter of a message could not be written.',
    'Look at the disk of the data directory; the message is kept, and tried again by itself.',
    true,
  ),
  dead_letter_not_replayable: entry(
    'This dead letter belongs to no run.',
    'Send the message again from where it came, then discard the letter.',
  ),
  lock_busy: entry(
    'Another process is doing this already.',
    'Look at what it has done, and ask again if anything is left.',
    true,
  ),
  run_not_paused: entry('Nothing of this run is paused.', 'Look at the run: it goes on already.'),
  trial_needs_more: entry(
    'The run has not all that this step needs.',
    'Run to this step instead, or take another run.',
  ),
  step_not_ready: entry(
    'The step can’t begin now.',
    'Step over one of those before which the run stands, or resume the run.',
  ),
  step_already_final: entry(
    'The step has already ended.',
    'Open the run and pick a step that is still under way, or retry from this one.',
  ),
  definition_mismatch: entry(
    'The run is bound to another version of this workflow.',
    'Resume it with the version it was started on, or start a new run.',
  ),
  not_awaiting_decision: entry(
    'This step does not wait for a decision.',
    'Refresh the run: somebody may have decided already.',
  ),
  unauthorized: entry(
    'The connection did not present a valid token.',
    'Open the address that `sagasmith serve` printed, or start it again.',
  ),
  // Checkpoints
  illegal_transition: entry('The status may not change that way.', 'Reload the record and decide again.'),
  not_the_owner: entry('Another runner owns this step now.', 'Drop the outcome: the owner reports its own.'),
  lost_race: entry('Somebody else changed the record first.', 'Reload the record and decide again.', true),
  checkpoint_invalid: entry(
    'The checkpoint contradicts itself.',
    'This is a bug in Sagasmith: please report it with the details.',
  ),
  // Stores
  data_directory_in_use: entry(
    'Another Sagasmith is using this data directory.',
    'Use the window that is already open, close it first, or choose another directory with --data.',
  ),
  store_too_new: entry(
    'The data was written by a newer Sagasmith.',
    'Update Sagasmith, or choose another data directory with --data. Nothing was changed.',
  ),
  store_corrupt: entry(
    'The data file is damaged.',
    'Restore the newest backup from the `backups` folder of the data directory. The damaged file was left untouched.',
  ),
  store_busy: entry(
    'The data file is locked by another program.',
    'Close the other program and try again.',
    true,
  ),
  store_full: entry('The disk is full.', 'Free some space; work goes on by itself.', true),
  store_failed: entry(
    'The data file could not be read or written.',
    'Check the disk and the permissions of the data directory.',
    true,
  ),
  store_closed: entry('The store has been closed.', 'Open it again.'),
  payload_too_large: entry(
    'The data is too large to hand on.',
    'Write it to a file and pass its path on instead.',
  ),
  blob_missing: entry('A stored payload is missing or damaged.', 'Restore the data directory from a backup.'),
  output_not_kept: entry(
    'What the step gave is not kept: its settings say that it goes when the run is over.',
    'Have the run go on from that step, or start it anew.',
  ),
  generated_stale: entry(
    'A generated file is not up to date.',
    'Generate it again: node src-engine/shell/generate.ts',
  ),
  node_too_old: entry(
    'This Node is too old for the engine.',
    'Start Sagasmith with its own launcher, or install Node 24 or newer.',
  ),
  // Tasks
  result_not_ready: entry(
    'There is no result yet.',
    'Wait for the end with `sagasmith runs wait`, then ask again.',
    true,
  ),
  result_failed: entry(
    'There is no result, for it failed.',
    'Look at the error that the message names; `sagasmith runs retry` has the run go on.',
  ),
  result_none: entry(
    'There is no result: it was cancelled, skipped, or ended by concurrency control.',
    'Look at its history with `sagasmith runs show` for why it did not run.',
  ),
  run_too_long: entry(
    'The run has written as much history as a run may.',
    'Have loops and maps do more per turn, or start runs of their own by sub-workflows.',
  ),
  mock_missing: entry(
    'A dry run met a step that would touch the outside and has no mock.',
    'Give the node a mock in the workflow file, or run the workflow for real.',
  ),
  task_failed: entry('The task failed.', 'Look at the log of the attempt.', true),
  task_kind_unknown: entry(
    'This runner does not know the task kind.',
    'Install the package that has it, or replace the node.',
  ),
  task_input_invalid: entry(
    'A parameter has the wrong type or is missing.',
    'Correct the named field in the inspector.',
  ),
  task_timeout: entry(
    'The attempt took longer than its timeout.',
    'Raise the timeout in the node’s settings, or make the step faster.',
    true,
  ),
  task_cancelled: entry('The step was cancelled.', 'Run the workflow again when you are ready.'),
  task_output_too_large: entry(
    'The output of the task is too large.',
    'Write it to a file and pass its path on instead.',
  ),
  task_output_invalid: entry(
    'The output of the task is not what its step promises.',
    'Correct the task, or the output schema of its step.',
  ),
  expression_invalid: entry('The expression can’t be read.', 'Correct it at the marked place.'),
  expression_failed: entry(
    'The expression failed on this data.',
    'Check the path against the data shown under the field.',
  ),
  expression_too_slow: entry(
    'The expression took too long.',
    'Make it simpler, or do the work in a JavaScript step.',
  ),
  http_status: entry(
    'The server answered with an error.',
    'Check address, credentials and body; raise the retries if it is temporary.',
    true,
  ),
  http_unreachable: entry('The server could not be reached.', 'Check the address and the network.', true),
  http_address_denied: entry(
    'The address is not one this workflow may reach.',
    'Name the host under “Private hosts” in the workflow’s settings if you trust it.',
  ),
  http_too_large: entry(
    'The response is larger than allowed.',
    'Raise the limit in the node’s settings or fetch less.',
  ),
  command_not_found: entry(
    'The program could not be started.',
    'Check that it is installed and on the PATH.',
  ),
  interpreter_not_found: entry(
    'The interpreter of the script is not on this machine.',
    'Install it, name its path under “Interpreter”, or have the step run by a runner that has it.',
  ),
  user_switch_denied: entry(
    'The engine may not start programs as another user.',
    'Leave “Run as” empty, or have the step run by a runner that was started as root.',
  ),
  program_limits_unsupported: entry(
    'This system can’t hold a program to such limits.',
    'Set the limits to 0, or have the step run by a runner on Linux.',
  ),
  command_exit: entry(
    'The program ended with an error code.',
    'Look at its output in the log, or map the exit code to success.',
    true,
  ),
  script_failed: entry(
    'The JavaScript code threw an error.',
    'Look at the message and the line it names.',
    true,
  ),
  script_limit: entry(
    'The JavaScript code went over its time or memory limit.',
    'Make it do less, or raise the limit in the node’s settings.',
  ),
  package_not_available: entry(
    'The code can’t import a package here.',
    'Install it, and have the runner allow it with its setting script_packages.',
  ),
  package_too_large: entry(
    'The packages of the code are larger than the sandbox takes.',
    'Import less of them, or use a “Script” in Node.js.',
  ),
  ...taskErrorCatalogue,
  csv_invalid: entry('The text is not valid CSV.', 'Check the delimiter and the quotes at the named line.'),
  ...flowErrorCatalogue,
  sub_workflow_not_found: entry(
    'The workflow that the step is to start was not found.',
    'Check its id or path; by id it must be in the library, and a path starts at the folder of the workflow.',
  ),
  sub_workflow_cycle: entry(
    'The workflow would start itself, directly or by way of others.',
    'Take the step out of the circle; to repeat something, use a loop.',
  ),
  sub_workflow_too_deep: entry(
    'Sub-workflows are nested too deeply.',
    'Move the innermost steps one level up.',
  ),
  sub_run_failed: entry(
    'The run that the step started did not succeed.',
    'Open that run to see why; connect the error port to go on without it.',
    true,
  ),
  sub_run_cancelled: entry(
    'The run that the step started was cancelled.',
    'Start it again, or connect the error port to go on without it.',
  ),
  no_case_matched: entry(
    'No case of the switch matched and it has no default.',
    'Add a default, or a case for this value.',
  ),
  debug_failure: entry(
    'The debug helper failed on purpose.',
    'Raise its retries, or lower the number of failures.',
    true,
  ),
  // Clusters
  ...clusterErrorCatalogue,
  // Redis
  ...redisErrorCatalogue,
  ...webhookErrorCatalogue,
  ...fileWatchErrorCatalogue,
  ...streamErrorCatalogue,
  ...rehearsalErrorCatalogue,
  // Secrets
  ...outputErrorCatalogue,
  ...teleportErrorCatalogue,
  ...exchangeErrorCatalogue,
  ...sealErrorCatalogue,
  ...triggerErrorCatalogue,
  ...trustErrorCatalogue,
  // Policies
  ...policyErrorCatalogue,
  ...vaultErrorCatalogue,
  // Recovery
  runner_lost: entry(
    'The runner was lost while this attempt was under way.',
    'Look at the step: another attempt takes over, or it says what somebody has to decide.',
    true,
  ),
  worker_lost: entry(
    'The step took its runner down again and again.',
    'Look at what it does before running it again: its runner crashed each time.',
  ),
  max_scheduling_retries: entry(
    'No runner that could do the step came in time.',
    'Start a runner with what is missing (pools, labels, task kinds), then run the workflow again.',
  ),
  indeterminate_effect: entry(
    'The runner died while this step was under way: its effect may have happened.',
    'Check the outside system, then choose: run again, take as done, or fail.',
  ),
  concurrency_limit: entry(
    'The step found no room: as many like it as its limit allows were at work.',
    'Raise the limit, or let the step wait its turn (when full: reroute).',
  ),
  rate_limited: entry(
    'The step found no room: as many as its limit allows began within its time.',
    'Raise the limit, let the step wait in line, or connect its error port.',
  ),
  wait_timeout: entry(
    'The step stood in line for longer than it was to wait.',
    'Raise the limit or the time it may wait, or let the step leave by its timeout port.',
  ),
  concurrency_different_arguments: entry(
    'The same demand is waiting already, with other arguments.',
    'Wait until that one has begun, or let the step reuse its result (on different arguments: reuse).',
  ),
  ...approvalErrorCatalogue,
  ...sagaErrorCatalogue,
  ...crashErrorCatalogue,
  ...customTaskErrorCatalogue,
  run_failed: entry('The run failed.', 'Open the failed step to see why.'),
  run_cancelled: entry('The run was cancelled.', 'Start it again when you are ready.'),
  run_timed_out: entry(
    'The run took longer than its timeout.',
    'Raise the timeout in the workflow’s settings.',
  ),
  engine_stopped: entry(
    'The engine is not running.',
    'Wait a moment: it is being restarted. If it stays down, start Sagasmith again.',
    true,
  ),
  internal: entry('Something went wrong inside Sagasmith.', 'Please report this with the details.'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorCatalogue
