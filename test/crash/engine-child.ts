/**
 * An engine in a process of its own, made to be killed: `node engine-child.ts DIRECTORY SCENARIO`. It plays the
 * scenario's story and prints one line when it is ready, one when the run is accepted and one when it is final.
 * `KILL_AT=name@n` makes it kill itself at the n-th passing of a failpoint.
 */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { holdProcess } from '../../src-engine/runtime/system-ports.ts'
import { playStory } from './engine-story.ts'
import { crashScenarios } from './scenarios.ts'

const [directory = '', name = ''] = process.argv.slice(2)
const scenario = crashScenarios.find((item) => item.name === name)
if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
const [killName, killNth] = (process.env['KILL_AT'] ?? '').split('@')

const release = holdProcess()
await playStory({
  directory,
  scenario,
  atFailpoint: (point, passed) => {
    if (point === killName && passed === Number(killNth)) process.kill(process.pid, 'SIGKILL')
  },
  say: (line: JsonObject) => void process.stdout.write(`${JSON.stringify(line)}\n`),
})
release()
