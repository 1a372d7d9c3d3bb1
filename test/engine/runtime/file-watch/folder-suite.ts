/** Watched folders: each file that changes is one run, over restarts, crashes and several watchers, on each store. */

import { describe, expect, it } from 'vitest'
import type { DefinitionHash } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { firingPrefix, readFiring } from '../../../../src-engine/model/trigger.ts'
import type { Engine } from '../../../../src-engine/runtime/engine.ts'
import { createSeededRandom } from '../../../../src-engine/runtime/seeded-random.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

const page = { after: null, limit: 200 }

export class FolderScene extends FlowScene {
  /** What lies in the folder: stamps by path. */
  readonly disk = new Map<string, string>()
  /** Why the folder can't be read; null while it can. */
  unreadable: Error | null = null
  readonly hints = new Set<() => void>()
  /** Where folders really are that are links. */
  readonly links = new Map<string, string>()
  /** How often somebody looked. */
  looks = 0

  constructor(store: Store, settings: SettingValues) {
    super(store, settings)
    this.folders = {
      scan: async () => {
        this.looks += 1
        if (this.unreadable !== null) throw this.unreadable
        return new Map(this.disk)
      },
      hints: (_, changed) => {
        this.hints.add(changed)
        return () => this.hints.delete(changed)
      },
      real: async (path) => this.links.get(path) ?? path,
    }
  }

  /** An engine that watches. */
  async watcher(): Promise<Engine> {
    const engine = await this.launch()
    engine.folders.start()
    return engine
  }

  async publish(parameters: JsonObject = {}, more: JsonObject = {}): Promise<void> {
    const triggers = { files: { kind: 'file-watch', parameters: { folder: '/in', ...parameters } } }
    const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers, ...more })
    await this.within(this.engine.publishing.publish({ document, baseDirectory: null }))
  }

  hint(): void {
    for (const tell of this.hints) tell()
  }

  /** What runs were told of, oldest first: `add a.csv`. */
  async told(): Promise<readonly string[]> {
    const filter = { statuses: null, workflowId: null, includeCore: false }
    const runs: readonly RunRecord[] = await this.store.list(0, 'runs', { filter, page })
    return runs
      .filter(({ cause }) => cause.kind === 'trigger:file-watch')
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map(({ input }) => {
        const told: unknown = JSON.parse(input.kind === 'inline' ? input.json : '{}')
        const { change, relativePath } = told as { readonly change: string; readonly relativePath: string }
        return `${change} ${relativePath}`
      })
  }
}

type OpenScene = (settings?: SettingValues) => Promise<FolderScene>

/** What holds of watched folders on a store; `opened` gives a scene with a store of its own. */
/** `stories`: how often it is played with crashes at random moments; each store of a list may have a part of them. */
export function folderSuite(name: string, opened: OpenScene, { stories = 10 } = {}): void {
  describe(`watched folders on ${name}`, () => {
    it('starts a run for each file that comes, once it has stood still, and not for those that were there', async () => {
      const scene = await opened()
      scene.disk.set('old.csv', '1:1')
      await scene.watcher()
      await scene.publish()
      await scene.pass(20_000)
      expect(await scene.told()).toEqual([])
      scene.disk.set('a.csv', '10:1')
      scene.disk.set('b.csv', '10:1')
      await scene.pass(10_000)
      expect((await scene.told()).toSorted()).toEqual(['add a.csv', 'add b.csv'])
      scene.disk.set('a.csv', '11:2')
      scene.disk.delete('b.csv')
      await scene.pass(20_000)
      expect(await scene.told()).toHaveLength(2)
    })

    it('tells what it is asked to tell, and counts those that were there if it shall', async () => {
      const scene = await opened()
      scene.disk.set('old.csv', '1:1')
      await scene.watcher()
      await scene.publish({ on: ['add', 'change', 'remove'], initialScan: true })
      await scene.pass(20_000)
      scene.disk.set('old.csv', '2:2')
      await scene.pass(20_000)
      scene.disk.delete('old.csv')
      await scene.pass(20_000)
      expect(await scene.told()).toEqual(['add old.csv', 'change old.csv', 'remove old.csv'])
    })

    it('a runner that trusts only some definitions looks only for those, and only where they name', async () => {
      const scene = await opened()
      let approved: readonly DefinitionHash[] = []
      scene.trust = { policy: 'approved', read: async () => ({ approved, revoked: [], keys: [] }) }
      const engine = await scene.watcher()
      const problem = (): string =>
        [...engine.folders.problems().values()].map(({ message }) => message).join()
      const approveAll = async (): Promise<void> => {
        const { triggers } = await scene.within(scene.engine.triggers['triggers.list']({ workflowId: null }))
        approved = triggers.map(({ definitionHash }) => definitionHash)
      }
      const capabilities = { paths: ['/in', 'relative', '/else'] }
      await scene.publish({}, { capabilities })
      await scene.pass(40_000)
      expect(problem()).toContain('does not trust the definition')
      expect(scene.looks).toBe(0)
      await approveAll()
      await scene.pass(70_000)
      expect(problem()).toBe('')
      expect(scene.looks).toBeGreaterThan(0)
      // Another folder is no change of the definition: whoever writes in the store says so.
      const seen = scene.looks
      scene.links.set('/in/link', '/home/ada/.ssh')
      for (const folder of ['/home/ada/.ssh', '/in/../home', '/in/link', '/input', '/relative']) {
        await scene.publish({ folder }, { capabilities })
        await scene.pass(70_000)
        expect(problem(), folder).toContain('outside of the folders that the trusted workflow names')
      }
      expect(scene.looks).toBe(seen)
      await scene.publish({ folder: '/else/deep' }, { capabilities })
      await scene.pass(70_000)
      expect(problem()).toBe('')
      // A definition that names no folder has none.
      await scene.publish()
      await approveAll()
      await scene.pass(70_000)
      expect(problem()).toContain('outside of the folders')
    })

    it('gives the run what there is to know of the file', async () => {
      const scene = await opened()
      await scene.watcher()
      await scene.publish()
      await scene.pass(10_000)
      scene.disk.set('deep/a.csv', '10:1700000000123.7')
      await scene.pass(10_000)
      const filter = { statuses: null, workflowId: null, includeCore: false }
      const [run] = await scene.store.list(0, 'runs', { filter, page })
      expect(JSON.parse(run?.input.kind === 'inline' ? run.input.json : '')).toEqual({
        path: '/in/deep/a.csv',
        folder: '/in',
        relativePath: 'deep/a.csv',
        name: 'a.csv',
        change: 'add',
        size: 10,
        modifiedAt: 1_700_000_000_123,
      })
    })

    it('looks at once when the system tells of a change', async () => {
      const scene = await opened()
      await scene.watcher()
      await scene.publish({ settleMs: 0 })
      await scene.pass(6_000)
      scene.disk.set('a.csv', '1:1')
      scene.hint()
      await scene.pass(200)
      expect(await scene.told()).toEqual(['add a.csv'])
    })

    it('looks as often as the setting says where the system tells nothing', async () => {
      const scene = await opened({ folderLookIntervalMs: 60_000 })
      await scene.watcher()
      await scene.publish({ settleMs: 0 })
      await scene.pass(70_000)
      scene.disk.set('a.csv', '1:1')
      await scene.pass(30_000)
      expect(await scene.told()).toEqual([])
      await scene.pass(40_000)
      expect(await scene.told()).toEqual(['add a.csv'])
    })

    it('finds what came while nobody watched, and repeats nothing', async () => {
      const scene = await opened()
      await scene.watcher()
      await scene.publish()
      scene.disk.set('a.csv', '1:1')
      await scene.pass(20_000)
      scene.crash()
      scene.disk.set('b.csv', '1:1')
      await scene.pass(60_000)
      await scene.watcher()
      await scene.pass(20_000)
      expect((await scene.told()).toSorted()).toEqual(['add b.csv'])
      scene.disk.set('c.csv', '1:1')
      await scene.pass(20_000)
      expect((await scene.told()).toSorted()).toEqual(['add b.csv', 'add c.csv'])
    })

    it('several watchers start one run for each file', async () => {
      const scene = await opened()
      await scene.watcher()
      await scene.watcher()
      await scene.watcher()
      await scene.publish()
      await scene.pass(10_000)
      for (let count = 0; count < 20; count += 1) scene.disk.set(`f${count}`, '1:1')
      scene.hint()
      await scene.pass(20_000)
      const told = await scene.told()
      expect(told).toHaveLength(20)
      expect(new Set(told).size).toBe(20)
    })

    it('says why a folder can’t be watched, and goes on once it can', async () => {
      const scene = await opened()
      const engine = await scene.watcher()
      scene.unreadable = new Error('no such folder')
      await scene.publish()
      await scene.pass(10_000)
      expect([...engine.folders.problems().values()]).toMatchObject([{ message: 'no such folder' }])
      const since = [...engine.folders.problems().values()][0]?.at
      const shown = () =>
        engine.triggers['triggers.show']({ workflowId: workflowId('w'), triggerId: 'files' })
      const told = await scene.within(shown())
      expect(told.trigger.folderProblem).toMatchObject({ message: 'no such folder', at: since })
      expect(told.standing[0]).toContain('Its folder can’t be read since')
      // Found again it is the same problem, since the same moment.
      await scene.pass(60_000)
      expect((await scene.within(shown())).trigger.folderProblem?.at).toBe(since)
      scene.unreadable = null
      await scene.pass(40_000)
      expect(engine.folders.problems().size).toBe(0)
      expect((await scene.within(shown())).trigger.folderProblem).toBeNull()
      scene.disk.set('a.csv', '1:1')
      await scene.pass(20_000)
      expect(await scene.told()).toEqual(['add a.csv'])
    })

    it('stops when its trigger goes, and begins anew when it is changed', async () => {
      const scene = await opened()
      await scene.watcher()
      await scene.publish()
      await scene.pass(10_000)
      const document = documentOf({ nodes: { a: { kind: 'noop' } } })
      await scene.within(scene.engine.publishing.publish({ document, baseDirectory: null }))
      await scene.pass(10_000)
      expect(scene.hints.size).toBe(0)
      const filter = { prefix: 'watched-files/' }
      expect(await scene.store.list(0, 'registers', { filter, page })).toEqual([])
      scene.disk.set('a.csv', '1:1')
      await scene.pass(20_000)
      await scene.publish({ pattern: '*.csv' })
      await scene.pass(20_000)
      expect(await scene.told()).toEqual([])
      scene.disk.set('b.csv', '1:1')
      await scene.pass(20_000)
      expect(await scene.told()).toEqual(['add b.csv'])
    })

    it.each([
      ['fields', { name: 'b.csv' }],
      ['an expression', 'event.payload.size > 5 and event.name = "add"'],
    ])('leaves files out by %s, for good, and says so', async (_, filter) => {
      const scene = await opened()
      await scene.watcher()
      await scene.publish({ filter, on: ['add', 'change'] })
      await scene.pass(10_000)
      scene.disk.set('a.csv', '1:1')
      scene.disk.set('b.csv', '10:1')
      await scene.pass(20_000)
      expect(await scene.told()).toEqual(['add b.csv'])
      const firings = { filter: { prefix: firingPrefix }, page }
      const kept = await scene.store.list(0, 'registers', firings)
      const told = kept
        .map(({ value }) => readFiring(value))
        .map((firing) => [firing?.sources, firing?.reason])
      const of = (path: string) => [{ kind: 'file', path, change: 'add' }]
      expect(told).toHaveLength(2)
      expect(told).toEqual(
        expect.arrayContaining([
          [of('a.csv'), 'filtered'],
          [of('b.csv'), null],
        ]),
      )
    })

    it('makes of a file what the run gets, and says once why it can’t', async () => {
      const scene = await opened()
      await scene.watcher()
      const input =
        '$exists(event.payload.size) and event.payload.size > 5 ? {"file": event.payload.name} : $error("too small")'
      await scene.publish({ input })
      await scene.pass(10_000)
      scene.disk.set('a.csv', '1:1')
      scene.disk.set('b.csv', '10:1')
      await scene.pass(20_000)
      const filter = { statuses: null, workflowId: null, includeCore: false }
      const runs = await scene.store.list(0, 'runs', { filter, page })
      expect(runs.map(({ input: got }) => got)).toEqual([{ kind: 'inline', json: '{"file":"b.csv"}' }])
      const firings = { filter: { prefix: firingPrefix }, page }
      const kept = (await scene.store.list(0, 'registers', firings)).flatMap(
        ({ value }) => readFiring(value) ?? [],
      )
      expect(new Set(kept.map(({ reason }) => reason))).toEqual(new Set(['expression_failed', null]))
      await scene.pass(60_000)
      expect(await scene.store.list(0, 'registers', firings)).toHaveLength(2)
    })

    it('loses and repeats no file over crashes at any moment', async () => {
      for (let seed = 1; seed <= stories; seed += 1) {
        const scene = await opened()
        const random = createSeededRandom(String(seed))
        const pick = (count: number): number => Math.floor(random.next() * count)
        await scene.watcher()
        await scene.publish({ settleMs: 500 })
        await scene.pass(10_000)
        for (let file = 0; file < 20; file += 1) {
          scene.disk.set(`f${file}`, '1:1')
          scene.hint()
          await scene.pass(pick(2_000))
          if (pick(4) > 0) continue
          scene.crash()
          await scene.pass(pick(2_000))
          await scene.watcher()
        }
        await scene.pass(30_000)
        const told = await scene.told()
        expect(told.toSorted(), `seed ${seed}`).toEqual(
          Array.from({ length: 20 }, (_, file) => `add f${file}`).toSorted(),
        )
      }
    })
  })
}
