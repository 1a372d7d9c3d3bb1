/**
 * What an engine does with the run of a scenario, from its start to the end of the run: it starts it, or goes on with
 * it, and tells when it is ready, when the run is accepted and when it is final. `engine-child.ts` plays it in a process
 * that is made to be killed; who comes after all kills plays it wherever it is called.
 */

import { recordOfThrown, SagasmithError } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { readRemoteAnswer } from '../../src-engine/model/policy/remote-answer.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { FailpointName } from '../../src-engine/runtime/failpoints.ts'
import type { RemoteKernel } from '../../src-engine/runtime/policy/remote-kernel.ts'
import type { CrashScenario } from './crash-scenario.ts'
import { operators } from './operators.ts'
import { openSinkEngine } from './sink-engine.ts'

/** Who plays a story, and who hears of it. */
export interface StoryOptions {
  readonly directory: string
  readonly scenario: CrashScenario
  /** Called at every passing of a failpoint with how often it was passed by now. */
  readonly atFailpoint: (point: FailpointName, passed: number) => void
  /** Told `ready`, `accepted`, each `problem`, and `finished`. */
  readonly say: (line: JsonObject) => void
}

/** One question goes unanswered; then everything is allowed. */
function awayAtFirst(): RemoteKernel {
  const allowed = readRemoteAnswer({ decision: 'ALLOW' })
  let isAway = true
  return {
    ask: async () => {
      if (isAway || allowed === null) {
        isAway = false
        throw new SagasmithError('safety_unavailable')
      }
      return allowed
    },
  }
}

/** What comes too late is no problem: the engine before this one may have done it. */
const tooLate = new Set(['run_already_final', 'run_not_paused'])

/** Does what may come too late; what else goes wrong is told. */
async function attempt({ say }: StoryOptions, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (thrown) {
    const { code, message } = recordOfThrown(thrown)
    if (!tooLate.has(code)) say({ type: 'problem', message })
  }
}

/** Pauses or resumes the run. */
const control = (options: StoryOptions, engine: Engine, steer: readonly [RunId, 'pause' | 'resume']) =>
  attempt(options, () => {
    const [runId, action] = steer
    const wait = action === 'pause'
    return engine.controlRun({ runId, action, nodeId: null, by: null, reason: null, wait })
  })

/** A crash may have left the run paused with nobody to resume it. */
async function resumeWhatCrashed(options: StoryOptions, engine: Engine, runId: RunId): Promise<void> {
  const found = await engine.store.load(0, 'run', { runId })
  if (found !== null && found.pauseRequestedAt !== null) await control(options, engine, [runId, 'resume'])
}

async function sendSignals(options: StoryOptions, engine: Engine, runId: RunId): Promise<void> {
  for (const signal of options.scenario.signals ?? []) {
    await attempt(options, () => engine.sendSignal({ runId, correlation: null, ...signal }))
  }
}

/** As long as the engine works: what asks gets this answer, whoever asked. */
async function answerAll(engine: Engine, of: RunId, answer: 'approve' | 'reject'): Promise<void> {
  const everything = { runId: of, approver: null, after: null, limit: 100 } as const
  for (let token: string | null = null; ; ) {
    token = (await engine.approvals.watch({ token, spanMs: 60_000 })).token
    for (const entry of (await engine.approvals.list(everything)).entries) {
      if (entry.kind !== 'approval') continue
      const { runId: id, invocationId, hash } = entry
      const said = { runId: id, invocationId, hash, answer, values: null, comment: null } as const
      await engine.approvals.decide({ ...said, by: 'ada' })
    }
  }
}

/** Each engine sees to it before the run starts; what counts already stays. */
async function setPolicies(engine: Engine, { policy, outputPolicy }: CrashScenario): Promise<void> {
  if (policy !== undefined && (await engine.policy.view()).hash === null)
    await engine.policy.set({ policy, by: 'ada', note: null })
  if (outputPolicy !== undefined && (await engine.outputs.policy.view()).isDefault)
    await engine.outputs.policy.change({ document: outputPolicy, ifHash: null, by: 'ada' })
}

/** The end of the run, after all that people do about it. */
async function ended(engine: Engine, { operator: name }: CrashScenario, of: RunId): Promise<RunRecord> {
  const operator = name === undefined ? null : operators[name]
  for (;;) {
    const found = await engine.waitForRun(of)
    if (operator === null || !(await operator(engine, found))) return found
  }
}

/** Runs that it started and didn't wait for are part of the story. */
async function waitForOthers(engine: Engine): Promise<void> {
  const filter = { statuses: null, workflowId: null, includeCore: false }
  const all = await engine.store.list(0, 'runs', { filter, page: { after: null, limit: 100 } })
  await Promise.all(all.map(({ id }) => engine.waitForRun(id)))
}

/** An engine whose steps have the run cancelled or paused where the scenario says so; not started yet. */
async function openEngine(options: StoryOptions, passed: Record<string, number>): Promise<Engine> {
  const { directory, scenario, atFailpoint, say } = options
  let mayPause = true
  const engine = await openSinkEngine({
    directory,
    settings: engineSettings({ maxConcurrentTasks: 2, heartbeatIntervalMs: 15, ...scenario.settings }),
    failpoints: (point) => {
      passed[point] = (passed[point] ?? 0) + 1
      atFailpoint(point, passed[point])
    },
    ...(scenario.workflows === undefined ? {} : { workflows: scenario.workflows }),
    ...(scenario.kernel === undefined ? {} : { safetyKernel: awayAtFirst() }),
    spanOf: ({ runId, nodeId, env }) => {
      if (nodeId === scenario.pauseAt && mayPause) {
        mayPause = false
        const pausing = control(options, engine, [runId, 'pause'])
        void pausing.then(() => control(options, engine, [runId, 'resume']))
      }
      // What undoes the step bears the name of its node, and ends by itself.
      if (nodeId !== scenario.cancelAt || env !== null) return 3
      engine.cancelRun(runId).catch((thrown: unknown) => say({ type: 'problem', message: String(thrown) }))
      return 60_000
    },
  })
  return engine
}

/** Plays it to its end: the run is final, and the engine has stopped. */
export async function playStory(options: StoryOptions): Promise<void> {
  const { scenario, say } = options
  const passed: Record<string, number> = {}
  const engine = await openEngine(options, passed)
  await engine.start()
  say({ type: 'ready' })
  await setPolicies(engine, scenario)
  const { document, name } = scenario
  const { runId } = await engine.startRun({
    document,
    input: { order: 7 },
    baseDirectory: null,
    requestId: name,
  })
  say({ type: 'accepted', runId })
  if (scenario.pauseAt !== undefined) await resumeWhatCrashed(options, engine, runId)
  let isOver = false
  const answer = scenario.approves ? 'approve' : 'reject'
  if (scenario.approves || scenario.rejects)
    answerAll(engine, runId, answer).catch((thrown: unknown) => {
      // An engine that has stopped is asked nothing more.
      if (!isOver) say({ type: 'problem', message: String(thrown) })
    })
  await sendSignals(options, engine, runId)
  const run = await ended(engine, scenario, runId)
  await waitForOthers(engine)
  const output = run.output?.kind === 'inline' ? run.output.json : null
  isOver = true
  await engine.stop()
  await engine.store.close()
  say({ type: 'finished', runId, status: run.status, output, passed })
}
