/** What is told while a run comes here, and which steps it may begin with. */

import { expect, it, test } from 'vitest'
import { nodeId, runId } from '../../src-engine/model/ids.ts'
import type { HerePreview, PullProgress } from '../../src-engine/protocol/teleport.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { differenceText } from '../../src-renderer/teleport/difference-text.ts'
import { hereLines } from '../../src-renderer/teleport/here-lines.ts'
import { progressWords } from '../../src-renderer/teleport/progress-words.ts'
import { stepChoices } from '../../src-renderer/teleport/step-choices.ts'
import { chain } from './factories.ts'

const progress = (given: Partial<PullProgress>): PullProgress => ({
  phase: 'events',
  runId: runId('r'),
  runs: 0,
  events: 12_345,
  payloads: 0,
  bytes: 0,
  ...given,
})

test.for<readonly [string, PullProgress | null, string]>([
  ['nothing yet', null, 'Bringing it here …'],
  ['events', progress({}), 'Bringing it here: 12,345 events …'],
  [
    'payloads',
    progress({ phase: 'payloads', payloads: 7, bytes: 4_560_000 }),
    'Bringing it here: 12,345 events, 7 payloads, 4.6 MB …',
  ],
  ['a family', progress({ runs: 1 }), 'One run of the family is here. Bringing it here: 12,345 events …'],
  ['a large one', progress({ runs: 9 }), '9 runs of the family are here. Bringing it here: 12,345 events …'],
])('a pull tells how far it is: %s', ([, given, expected]) => {
  expect(progressWords(given)).toBe(expected)
})

it('a step is chosen by its name, and by its id where several have the same', () => {
  const drawn = chain('b', 'a', 'off', 'inner', 'named')
  const nodes = Object.fromEntries(
    Object.entries(drawn.nodes).map(([id, node]) => [
      id,
      {
        ...node,
        ...(id === 'off' ? { disabled: true } : {}),
        ...(id === 'inner' ? { parent: 'a' } : {}),
        ...(id === 'named' ? { title: 'Ask' } : {}),
      },
    ]),
  )
  const choices = stepChoices({ ...drawn, nodes } as typeof drawn, taskSpecsByKind)
  const title = taskSpecsByKind.get(drawn.nodes[choices[1]?.nodeId ?? choices[0]!.nodeId]?.kind ?? '')?.title
  expect(choices.map(({ name }) => name)).toEqual(['Ask', `${title} (a)`, `${title} (b)`])
})

const look = (given: Partial<HerePreview>): HerePreview => ({
  cluster: 'plant',
  hereId: runId('r-here1'),
  there: 'FAILED',
  cancels: false,
  again: [nodeId('b')],
  acting: [nodeId('b'), nodeId('c')],
  missingSecrets: [],
  undoneThere: [],
  refusal: null,
  ...given,
})

test.for<readonly [string, Partial<HerePreview>, readonly string[]]>([
  [
    'it ended there',
    {},
    [
      'On plant the run stays as it is (Failed). Here it goes on as a run of its own.',
      'Begins anew: B. The rest keeps its result.',
      'These really act on the outside, from this computer: B, C.',
    ],
  ],
  [
    'it goes on there',
    { there: 'WAITING', cancels: true, again: [], acting: [] },
    [
      'The run is Waiting on plant: it is cancelled there first, then the rest is done here.',
      'What is left is done from this computer, with its real effects.',
    ],
  ],
  [
    'nothing acts',
    { there: null, acting: [], missingSecrets: ['SHOP'] },
    [
      'On plant the run stays as it is (no longer there). Here it goes on as a run of its own.',
      'Begins anew: B. The rest keeps its result.',
      'Nothing of it touches the outside.',
      'This computer’s vault doesn’t have SHOP: steps that name them fail.',
    ],
  ],
  [
    'steps can be undone only there',
    { acting: [], undoneThere: [nodeId('a')] },
    [
      'On plant the run stays as it is (Failed). Here it goes on as a run of its own.',
      'Begins anew: B. The rest keeps its result.',
      'Nothing of it touches the outside.',
      'Only plant can undo what was done there; undoing the run here leaves it: A.',
    ],
  ],
])('what happens is told before the rest of a run is done here: %s', ([, given, expected]) => {
  expect(hereLines(look(given), (id) => id.toUpperCase())).toEqual(expected)
})

test('what a replay came to is told as cards tell it: states by their words, texts without quotes', () => {
  expect(differenceText('status', '"FAILED"')).toBe('Failed')
  expect(differenceText('output', '"FAILED"')).toBe('FAILED')
  expect(differenceText('output', '{"a":1}')).toBe('{"a":1}')
  expect(differenceText('status', null)).toBe(differenceText('error', null))
})
