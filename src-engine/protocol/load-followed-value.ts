/** Asks an engine for what a value of a run went through, and follows it. */

import type { TaskSpecs } from '../model/definition-hash.ts'
import { SagasmithError } from '../model/errors.ts'
import type { FollowedValue } from '../model/following/follow-value.ts'
import { followValue } from '../model/following/follow-value.ts'
import type { FollowedRun } from '../model/following/followed-runs.ts'
import { followedRun, nothingWanted } from '../model/following/followed-runs.ts'
import type { ValuePlace } from '../model/following/value-place.ts'
import type { RunId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import { followedReadsMax } from '../model/limits.ts'
import { parseDocument } from '../model/read-document.ts'
import type { Asked } from './load-comparison.ts'

export interface LoadedValue extends FollowedValue {
  /** The runs that it went through. */
  readonly runs: ReadonlyMap<RunId, FollowedRun>
}

/** Reads what following asks for until it asks for nothing more. A first run that isn't there is refused. */
export async function loadFollowedValue(
  engine: Asked,
  start: ValuePlace,
  specs: TaskSpecs,
): Promise<LoadedValue> {
  const blobs = new Map<string, JsonValue>()
  const runs = new Map<RunId, FollowedRun>([[start.runId, await readRun(engine, start.runId, blobs)]])
  const asked = new Set<string>()
  for (;;) {
    const wanted = nothingWanted()
    const value = followValue({ runs, specs, wanted }, start)
    const news = [...wanted.runs, ...wanted.payloads.keys()].filter((key) => !asked.has(key))
    if (news.length === 0 || asked.size >= followedReadsMax) return { ...value, runs }
    for (const key of news.slice(0, followedReadsMax - asked.size)) {
      asked.add(key)
      const payload = wanted.payloads.get(key)
      // One after the other: each may be large. What is pruned counts as unknown.
      await unlessRefused(async () => {
        if (payload === undefined) {
          const id = [...wanted.runs].find((one) => one === key)
          if (id !== undefined) runs.set(id, await readRun(engine, id, blobs))
        } else if (payload.kind === 'blob') {
          const { json } = await engine.call('payloads.get', { payload })
          blobs.set(payload.hash, JSON.parse(json) as JsonValue)
        }
      })
    }
  }
}

async function readRun(
  engine: Asked,
  runId: RunId,
  blobs: ReadonlyMap<string, JsonValue>,
): Promise<FollowedRun> {
  const { run, invocations, skipped } = await engine.call('runs.get', { runId })
  const version = await engine.call('workflows.version', { hash: run.definitionHash })
  const read = parseDocument(version.document)
  if (!read.ok) throw read.error
  return followedRun({ run, invocations, skipped, document: read.value.document, blobs })
}

async function unlessRefused(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (thrown) {
    if (!(thrown instanceof SagasmithError)) throw thrown
  }
}
