/** The error codes of watched folders. */

import { entry } from './error-entry.ts'

export const fileWatchErrorCatalogue = {
  folder_too_large: entry(
    'The folder has more files than are watched.',
    'Watch a folder inside it, or use a pattern that fewer files fit.',
  ),
} as const
