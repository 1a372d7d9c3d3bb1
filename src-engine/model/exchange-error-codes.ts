/** The error codes of code and pictures that carry workflows. */

import { entry } from './error-entry.ts'

export const exchangeErrorCatalogue = {
  code_unreadable: entry(
    'The code can’t be read back as a workflow.',
    'Correct the named place: the code is read, never run.',
  ),
  picture_unreadable: entry(
    'There is no workflow in the picture.',
    'Choose a picture that Sagasmith exported. Programs that shrink or convert pictures drop what is in them.',
  ),
  picture_too_large: entry('The picture is too large.', 'Export the workflow as JSON instead, or split it.'),
} as const
