import { expect, test } from 'vitest'
import type { InvocationId } from '../../../src-engine/model/ids.ts'
import { invocationId, runId } from '../../../src-engine/model/ids.ts'
import type { EndedAttempt } from '../../../src-engine/runtime/shared-ends.ts'
import { createSharedEnds } from '../../../src-engine/runtime/shared-ends.ts'

const [one, two] = [runId('run_1'), runId('run_2')]

function ended(name: string): EndedAttempt {
  return {
    fact: {
      invocationId: invocationId(name),
      fence: { epoch: 1, counter: 1 },
      end: { kind: 'succeeded', output: { kind: 'inline', json: 'null' }, ports: null },
      input: null,
      log: null,
    },
    isVoid: () => false,
    freed: () => undefined,
  }
}

function recording() {
  const recorded: (readonly InvocationId[])[] = []
  const ends = createSharedEnds(async (_run, batch) => {
    recorded.push(batch.map(({ fact }) => fact.invocationId))
  })
  return { recorded, ends }
}

test('what ends in the same moment is recorded together, each run by itself and in order', async () => {
  const { recorded, ends } = recording()
  await Promise.all([
    ends.add(one, ended('a')),
    ends.add(two, ended('x')),
    ends.add(one, ended('b')),
    ends.add(one, ended('c')),
  ])
  await ends.add(one, ended('d'))
  expect(recorded).toEqual([['a', 'b', 'c'], ['x'], ['d']])
})

test('a checkpoint of shared ends is bounded', async () => {
  const { recorded, ends } = recording()
  await Promise.all(Array.from({ length: 70 }, (_, index) => ends.add(one, ended(`n${index}`))))
  expect(recorded.map((batch) => batch.length)).toEqual([32, 32, 6])
})

test('all of them hear that they could not be recorded, and the next ones are tried', async () => {
  let tries = 0
  const ends = createSharedEnds(async () => {
    tries += 1
    if (tries === 1) throw new Error('full')
  })
  const answers = await Promise.allSettled([ends.add(one, ended('a')), ends.add(one, ended('b'))])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(ends.add(one, ended('c'))).resolves.toBeUndefined()
})
