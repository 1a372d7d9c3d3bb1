/** The error codes of sealed values. */

import { entry } from './error-entry.ts'

export const sealErrorCatalogue = {
  seal_key_missing: entry(
    'This workspace seals its values with a key that this machine doesn’t have.',
    'On a machine that has it: `sagasmith seal export FILE`. Here: `sagasmith seal import FILE`. Until then this machine only reads.',
  ),
  sealed_value_damaged: entry(
    'A sealed value was changed since, or stands where it wasn’t sealed.',
    'Restore it from a backup of the store. Nothing was changed, and what works with it waits.',
  ),
  seal_key_unknown: entry(
    'There is no such key of this workspace here.',
    'See `sagasmith seal list` for those that there are.',
  ),
  seal_key_in_use: entry(
    'The workspace seals with that key.',
    'Seal with another one first: `sagasmith seal rotate`.',
  ),
  seal_restart_needed: entry(
    'The engine that works on this data directory was started without sealing.',
    'Close the app or `sagasmith serve` and do it again, or set seal_payloads and start it again.',
  ),
  seal_off: entry('This workspace doesn’t seal its values.', 'Have it seal them with `sagasmith seal on`.'),
  seal_file_unreadable: entry(
    'The file has no keys that could be read.',
    'Check the path and the passphrase, or export the keys again with `sagasmith seal export FILE`.',
  ),
} as const
