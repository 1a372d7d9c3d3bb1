/** Triggers that hold secrets, for the canaries. */

import { expect } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { EngineClient } from '../../../src-engine/protocol/client.ts'
import type { Engine } from '../../../src-engine/runtime/engine.ts'

const callersBy = (auth: JsonObject): JsonObject => ({
  kind: 'webhook',
  parameters: { path: 'canary', auth },
})
const both = { secret: 'S00', previousSecret: 'S15' }

/** Triggers that open secrets by themselves: those of callers, and those that they sign in with. */
export const canaryTriggers: Readonly<Record<string, JsonObject>> = {
  standard: callersBy({ kind: 'standard', ...both }),
  github: callersBy({ kind: 'github', ...both }),
  stripe: callersBy({ kind: 'stripe', ...both }),
  slack: callersBy({ kind: 'slack', ...both }),
  hmac: callersBy({ kind: 'hmac', ...both }),
  bearer: callersBy({ kind: 'bearer', ...both }),
  basic: callersBy({ kind: 'basic', ...both, username: 'ada' }),
  // Nobody listens there; what is said about it must not tell who wanted in.
  stream: {
    kind: 'redis-stream',
    parameters: {
      ...{ host: '127.0.0.1', port: 9, tls: 'off', stream: 'canary' },
      auth: { kind: 'password', user: 'ada', secret: 'S16' },
    },
  },
}

/** Publishes the document with them, and waits until the stream was tried. */
export async function triggersPlayed(
  client: EngineClient,
  { streams }: Pick<Engine, 'streams'>,
  document: JsonObject,
): Promise<void> {
  const published = async () => (await client.call('triggers.list', { workflowId: null })).triggers
  await client.call('workflows.publish', {
    document: { ...document, triggers: canaryTriggers },
    baseDirectory: null,
  })
  expect(await published()).toHaveLength(Object.keys(canaryTriggers).length)
  streams.start()
  const problem = async () =>
    (await published()).find(({ reading }) => reading !== null)?.reading?.problem ?? null
  await expect.poll(problem, { timeout: 60_000 }).not.toBe(null)
  await streams.stop()
}
