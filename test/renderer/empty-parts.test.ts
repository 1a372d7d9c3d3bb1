import { expect, test } from 'vitest'
import { emptyParts } from '../../src-renderer/ui/empty-parts.ts'

test.for([
  ['No runs yet. Press Run to start the first one.', 'No runs yet.', 'Press Run to start the first one.'],
  [
    'No pool is known: no runner has joined. Start one.',
    'No pool is known.',
    'No runner has joined. Start one.',
  ],
  ['Nothing fits', 'Nothing fits', ''],
  ['Nobody has decided anything yet.', 'Nobody has decided anything yet.', ''],
] as const)('what is so is said first, then how that changes: %s', ([text, what, how]) => {
  expect(emptyParts(text)).toEqual({ what, how })
})
