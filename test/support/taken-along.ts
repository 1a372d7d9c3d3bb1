/** What people and programs keep of a run and its workflow: recorded answers, tests, files, drafts, exports. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { workflowInFile } from '../../src-engine/model/picture/workflow-in-file.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { EngineClient } from '../../src-engine/protocol/client.ts'
import { exportedWorkflow, exportFormats } from '../../src-engine/shell/exchange/export-workflow.ts'

export interface TakenRun {
  readonly folder: string
  readonly runId: RunId
  readonly document: JsonObject
}

/** The workflow with what each step gave, or how it failed, as its mock: what the designer records of a run. */
async function recorded(client: EngineClient, { runId, document }: TakenRun): Promise<JsonObject> {
  const { invocations } = await client.call('runs.get', { runId })
  const nodes = { ...(document['nodes'] as Record<string, JsonObject>) }
  for (const { nodeId, output, error } of invocations) {
    const known = nodes[nodeId]
    if (known === undefined) continue
    const json = output === null ? 'null' : (await client.call('payloads.get', { payload: output })).json
    const mock =
      error === null
        ? { output: JSON.parse(json ?? 'null') as JsonValue }
        : { error: { code: error.code, message: error.message } }
    nodes[nodeId] = { ...known, mocks: { recorded: mock } }
  }
  // All cards in one place: nobody looks at the pictures, and most of what it takes to draw one is its size.
  const layout = { nodes: Object.fromEntries(Object.keys(nodes).map((id) => [id, { x: 0, y: 0 }])) }
  return { ...document, nodes, layout, mockSets: { recorded: { title: 'Recorded' } } }
}

/** Keeps it wherever people and programs do: a file, a draft with its undo steps, a checkpoint, a test, every export. */
export async function takenAlong(client: EngineClient, run: TakenRun): Promise<void> {
  const { folder, runId } = run
  const document = await recorded(client, run)
  const { path } = await client.call('library.save', { path: 'canary.json', document, etag: null })
  await client.call('tests.record', { path, document, name: 'as it went', runId, accept: true })
  const draft = { id: 'draft', title: 'users', path: null, etag: null, document }
  await client.call('drafts.save', draft)
  const step = {
    label: 'Record mocks',
    gesture: null,
    patches: [{ op: 'replace', path: [], value: document }],
    inverse: [],
  }
  await client.call('undo.append', { id: 'draft', after: 0, lines: [JSON.stringify(step)] })
  await client.call('checkpoints.save', { workflowId: 'users', name: 'before', title: 'users', document })
  const read = parseDocument(document)
  if (!read.ok) throw read.error
  for (const format of exportFormats) {
    const content = await exportedWorkflow(read.value.document, { format, theme: 'light' })
    writeFileSync(join(folder, `exported.${format}`), content)
    // A picture has the workflow in it, packed: what comes out of it is looked at, too.
    const found = workflowInFile(Buffer.from(content), (part) => Buffer.from(part).toString('utf8'))
    if (!found.read.ok) throw found.read.error
    writeFileSync(join(folder, `exported.${format}.json`), JSON.stringify(found.read.value.document))
  }
}
