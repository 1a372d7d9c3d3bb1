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
import type { EngineStore } from './redis-engines.ts'
import { engineSubjects } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'

const opened: EngineStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

const subjects = engineSubjects(redisServers())

for (const subject of subjects) {
  const scene = async () => {
    const stored = await subject.open()
    opened.push(stored)
    const here = new TriggerScene(stored.store)
    here.connect = stored.connect
    return here
  }
  cronSuite(subject.name, scene)
  eventSuite(subject.name, scene)
  deskSuite(subject.name, scene)
  runSuite(subject.name, scene)
  compositeSuite(subject.name, scene)
}

const [, onCluster] = subjects
if (onCluster !== undefined) {
  const connected = async <Scene extends FlowScene>(make: (store: Store) => Scene): Promise<Scene> => {
    const stored = await onCluster.open()
    opened.push(stored)
    const scene = make(stored.store)
    scene.connect = stored.connect
    return scene
  }
  // Which moments there are to crash in is the engine's affair: each other store plays all of the stories.
  const few = { stories: 3 }
  folderSuite(onCluster.name, (settings = {}) => connected((store) => new FolderScene(store, settings)), few)
  streamSuite(onCluster.name, () => connected((store) => new StreamScene(store)), few)
  callSuite(onCluster.name, () => connected((store) => new CallScene(store)))
}
