/**
 * Writes the histories of this version: `node test/engine/golden/record.ts`. Once, before it is released: what a version has
 * left is never written again, for it stands for the files of everybody who used it. Stories that a later change adds
 * to the list below are written beside those that are there.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { readHistory } from '../../support/history.ts'
import { atWork } from '../transitions/at-work.ts'
import { available } from '../transitions/available.ts'
import { programs } from '../transitions/programs.ts'
import { runs } from '../transitions/runs.ts'
import { waiting } from '../transitions/waiting.ts'
import type { Golden } from './golden.ts'
import { goldenFolder } from './golden.ts'

/** One of each sort: together they make most moves, and each sort of event and wait. */
const told: Readonly<Record<string, string>> = {
  line: 'the time of a step went by in line',
  reuse: 'a step gets the result of another one that stands for the same',
  policy: 'a run is asked about before its first step',
  retry: 'a failed step is tried again',
  asked: 'a step asks, and somebody approves',
  lost: 'a runner dies with work that must not happen twice, and a person has it done again',
  'handed-back': 'work is cancelled while its runner stops',
  program: 'a program stands still, goes on, and is done',
  loop: 'a loop takes its next turn',
  child: 'what undoes a sub-workflow waits until that is rolled back',
  held: 'a result that was handed on is found to be none to hand on, and a person lets it go',
  generation: 'a run that is FAILED goes on',
  rollback: 'a rollback fails, is tried again, and is given up',
}

const scenarios = [...available, ...atWork, ...programs, ...waiting, ...runs]
const manifest = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
const { version } = JSON.parse(manifest) as { readonly version: string }

async function goldenOf(story: string, store: Store): Promise<Golden> {
  const history = await readHistory(store)
  const all = history.runs.map(async ({ run, workflow, invocations }) => ({
    run,
    document: workflow.document,
    invocations,
    attempts: await store.load(0, 'attempts', { runId: run.id, invocationId: null }),
  }))
  return { story, events: history.events, runs: await Promise.all(all) }
}

for (const [name, story] of Object.entries(told)) {
  const file = join(goldenFolder, version, `${name}.json`)
  if (existsSync(file)) {
    console.log(`${version}/${name} is there already`)
    continue
  }
  const scenario = scenarios.find((one) => one.name === story)
  if (scenario === undefined) throw new Error(`nobody tells of “${story}”`)
  const store = createMemoryStore()
  await scenario.play(store)
  mkdirSync(join(goldenFolder, version), { recursive: true })
  writeFileSync(file, `${JSON.stringify(await goldenOf(story, store))}\n`)
  await store.close()
  console.log(`wrote ${version}/${name}`)
}
// Engines of stories whose processes died wait for ever.
process.exit()
