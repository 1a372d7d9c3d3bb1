/** The error codes of runs that are pulled from a cluster, replayed here, and resumed there. */

import { entry } from './error-entry.ts'

export const teleportErrorCatalogue = {
  teleport_not_pulled: entry(
    'The run was not pulled.',
    'Pull it with `sagasmith teleport pull RUN --cluster NAME`; `sagasmith teleport list` has those that were.',
  ),
  teleport_id_taken: entry(
    'There is another run of that id here.',
    'Pull it into a place of its own: `--into sqlite:FOLDER`. Nothing was changed.',
  ),
  teleport_read_only: entry(
    'A pulled run is a copy: it is only read here.',
    'Have it go on where it came from with `sagasmith teleport resume`.',
  ),
  teleport_journal_damaged: entry(
    'The history of the run does not hold together.',
    'Look at the store with `sagasmith doctor --cluster`. Nothing of it was kept here.',
  ),
  teleport_run_moved: entry(
    'The run has moved on since it was pulled.',
    'Pull it again, look at what happened, and decide anew.',
  ),
  teleport_other_cluster: entry(
    'That is not the store from which the run was pulled.',
    'Name the cluster that it came from, or pull the run again from this one.',
  ),
  teleport_goes_on_there: entry(
    'The run still goes on where it came from.',
    'Have it cancelled there first (`--cancel-there`), or wait for its end and pull it again.',
  ),
  teleport_goes_on_here: entry(
    'The rest of the run is being done on this machine.',
    'Wait for its end, or cancel it here first.',
  ),
  run_file_unreadable: entry(
    'The file holds no run that can be read.',
    'Ask for it again: `sagasmith teleport save RUN --out FILE` writes one. Nothing of it was kept here.',
  ),
  run_file_too_large: entry(
    'The run is too large for a file.',
    'Save it without the runs that it started, or copy it with `sagasmith teleport pull RUN --into sqlite:FOLDER`.',
  ),
  teleport_too_large: entry(
    'The family of the run is too large to be pulled at once.',
    'Pull the runs that matter one by one.',
  ),
  teleport_not_recorded: entry(
    'Nothing answers for the step: its result is not in the record, and it must not really run.',
    'Give the node a mock (`mocks`), or replay from a later step.',
  ),
} as const
