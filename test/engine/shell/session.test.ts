/** What a command follows a run with: groups for those who show it, whole events for programs that may check them. */

import { expect, onTestFinished, test } from 'vitest'
import type { EngineEvent } from '../../../src-engine/model/event.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { openSession } from '../../../src-engine/shell/session.ts'
import { verifyChain } from '../../../src-engine/store/event-chain.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { temporaryFolder } from './shell-fixtures.ts'

test('a followed run has the same events either way, and hashes that chain where they are wanted', async () => {
  const session = await openSession({ dataDir: temporaryFolder(), role: 'test', mode: 'work' })
  onTestFinished(() => session.close())
  // A document is plain JSON data.
  const document = documentOf({ nodes: { a: { kind: 'noop' } } }) as unknown as JsonObject
  const started = { document, input: {}, baseDirectory: null, requestId: 'once' }
  const { runId } = await session.call('runs.start', started)
  const follow = async (hashes: boolean): Promise<readonly EngineEvent[]> => {
    const heard: EngineEvent[] = []
    expect(await session.followRun(runId, { hashes, events: (events) => heard.push(...events) })).toBe(
      'SUCCEEDED',
    )
    return heard
  }
  const [whole, shown] = [await follow(true), await follow(false)]
  expect(shown).toEqual(whole.map((event) => ({ ...event, hash: '', prevHash: '' })))
  expect(verifyChain(whole, true)).toBeNull()
})
