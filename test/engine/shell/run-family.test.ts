/** Who started a run, and which runs its steps started. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { runId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { RunFamily } from '../../../src-engine/protocol/run-family.ts'
import { familyOf } from '../../../src-engine/shell/run-family.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { FlowScene } from '../runtime/control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const call = (workflow: string, more: JsonObject = {}): JsonObject => ({
  kind: 'sub-workflow',
  parameters: { workflow },
  ...more,
})

/** A grandparent whose map starts three parents, each with one child. */
async function threeGenerations(): Promise<{ readonly here: FlowScene; readonly oldest: RunId }> {
  const here = new FlowScene(createMemoryStore())
  scenes.push(here)
  await here.launch()
  const give = (id: string, nodes: JsonObject): void => {
    here.workflows.set(id, { document: documentOf({ id, title: id, nodes }), folder: null })
  }
  give('child', { end: { kind: 'noop' } })
  give('parent', { one: call('child') })
  const nodes = {
    each: { kind: 'map', parameters: { items: '[1..3]' } },
    one: call('parent', { parent: 'each' }),
  }
  const run = await here.play({ nodes })
  return { here, oldest: run.id }
}

const familyIn = (here: FlowScene, run: RunId, more: Partial<Parameters<typeof familyOf>[1]> = {}) =>
  here.within(familyOf(here.store, { runId: run, after: null, limit: 50, ...more }))

const titles = ({ ancestors, children }: RunFamily) => ({
  above: ancestors.map(({ workflowTitle }) => workflowTitle),
  below: children.map(({ run, path }) => `${run?.workflowTitle} ${path}`),
})

describe('the family of a run', () => {
  it('goes up to the run that nobody started, and one generation down [P58]', async () => {
    const { here, oldest } = await threeGenerations()
    const top = await familyIn(here, oldest)
    expect(titles(top)).toEqual({ above: [], below: ['parent each:0', 'parent each:1', 'parent each:2'] })
    const parent = await familyIn(here, top.children[1]?.runId ?? oldest)
    expect(parent.ancestors.map(({ id }) => id)).toEqual([oldest])
    const child = await familyIn(here, parent.children[0]?.runId ?? oldest)
    expect(child.ancestors.map(({ id }) => id)).toEqual([oldest, parent.run.id])
    expect([child.children, child.total, child.run.status]).toEqual([[], 0, 'SUCCEEDED'])
  })

  it('comes in pages, however large it is [P58]', async () => {
    const { here, oldest } = await threeGenerations()
    const first = await familyIn(here, oldest, { limit: 2 })
    expect([first.children.length, first.total]).toEqual([2, 3])
    const rest = await familyIn(here, oldest, { limit: 2, after: first.next })
    expect(titles(rest).below).toEqual(['parent each:2'])
    expect(rest.next).toBeNull()
  })

  it('of a run that is not there is refused [P58]', async () => {
    const { here } = await threeGenerations()
    await expect(familyIn(here, runId('run_gone'))).rejects.toMatchObject({ code: 'run_not_found' })
  })
})
