/** Error codes of rehearsals and of tests. */

import type { ErrorEntry } from './error-entry.ts'
import { entry } from './error-entry.ts'

export const rehearsalErrorCatalogue = {
  rehearsal_without_end: entry(
    'A rehearsed run came to no end.',
    'Look for a loop that never ends, or for a wait without a timeout; give such a step a mock.',
  ),
  tests_invalid: entry(
    'The file of a workflow’s tests can’t be read.',
    'Mend the named place, or take the file from an earlier version. It was left as it is.',
  ),
  test_not_found: entry('The workflow has no such test.', 'List them with `sagasmith test FILE --list`.'),
  test_name_taken: entry(
    'There is a test of that name already.',
    'Give another name, or remove the other test first.',
  ),
  test_run_not_over: entry(
    'A run becomes a test once it has ended by itself.',
    'Wait for its end; a run that was cancelled says nothing about its workflow.',
  ),
  test_not_repeatable: entry(
    'Repeated on what was recorded, the run comes out otherwise.',
    'Look at what differs: the workflow may have changed since. Take what the repetition gives, or run it anew.',
  ),
} as const satisfies Record<string, ErrorEntry>
