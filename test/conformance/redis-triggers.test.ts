import { afterEach } from 'vitest'
import type { Store } from '../../src-engine/store/store.ts'
import type { FlowScene } from '../engine/runtime/control-flow/flow-scene.ts'
import { FolderScene, folderSuite } from '../engine/runtime/file-watch/folder-suite.ts'
import { StreamScene } from '../engine/runtime/streams/stream-scene.ts'
import { streamSuite } from '../engine/runtime/streams/stream-suite.ts'
import { compositeSuite } from '../engine/runtime/triggers/composite-suite.ts'
import { cronSuite } from '../engine/runtime/triggers/cron-suite.ts'
import { deskSuite } from '../engine/runtime/triggers/desk-suite.ts'
import { eventSuite } from '../engine/runtime/triggers/event-suite.ts'
import { runSuite } from '../engine/runtime/triggers/run-suite.ts'
import { TriggerScene } from '../engine/runtime/triggers/trigger-scene.ts'
import { CallScene } from '../engine/runtime/webhooks/call-scene.ts'
import { callSuite } from '../engine/runtime/webhooks/call-suite.ts'
import type { EngineStore, EngineSubject } from './redis-engines.ts'
import { onCluster, onOneServer } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'

const opened: EngineStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

const connected =
  ({ open }: EngineSubject) =>
  async <Scene extends FlowScene | TriggerScene>(make: (store: Store) => Scene): Promise<Scene> => {
    const stored = await open()
    opened.push(stored)
    const scene = make(stored.store)
    scene.connect = stored.connect
    return scene
  }

const servers = redisServers()
const single = onOneServer(servers)
const cluster = onCluster(servers)

// A scene on a cluster is several times as dear: these suites are played there in this process (`sceneStores`), the others below.
const triggers = () => connected(single)((store) => new TriggerScene(store))
for (const suite of [cronSuite, eventSuite, deskSuite, runSuite, compositeSuite]) suite(single.name, triggers)

const make = connected(cluster)
// Which moments there are to crash in is the engine's affair: each other store plays all of the stories.
const few = { stories: 3 }
folderSuite(cluster.name, (settings = {}) => make((store) => new FolderScene(store, settings)), few)
streamSuite(cluster.name, () => make((store) => new StreamScene(store)), few)
callSuite(cluster.name, () => make((store) => new CallScene(store)))
