/**
 * An engine in a process of its own, made to be killed: `node engine-child.ts DIRECTORY SCENARIO`. It starts
 * the scenario's run, or goes on with it, and prints one line when it is ready and one when the run is final.
 * `KILL_AT=name@n` makes it kill itself at the n-th passing of a failpoint.
 */

import { recordOfThrown, SagasmithError } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { readRemoteAnswer } from '../../src-engine/model/policy/remote-answer.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { FailpointName } from '../../src-engine/runtime/failpoints.ts'
import type { RemoteKernel } from '../../src-engine/runtime/policy/remote-kernel.ts'
import { holdProcess } from '../../src-engine/runtime/system-ports.ts'
import type { CrashScenario } from './crash-scenario.ts'
import { operators } from './operators.ts'
import { crashScenarios } from './scenarios.ts'
import { openSinkEngine } from './sink-engine.ts'

const [directory = '', name = ''] = process.argv.slice(2)
const found = crashScenarios.find((item) => item.name === name)
if (found === undefined) throw new Error(`there is no scenario ${name}`)
const scenario = found
const [killName, killNth] = (process.env['KILL_AT'] ?? '').split('@')
const passed: Record<string, number> = {}

const say = (line: JsonObject): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)

function failpoint(point: FailpointName): void {
  passed[point] = (passed[point] ?? 0) + 1
  if (point === killName && passed[point] === Number(killNth)) process.kill(process.pid, 'SIGKILL')
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

let cancel: (runId: RunId) => void = () => {}
let pauseOnce: (runId: RunId) => void = () => {}

const release = holdProcess()
const engine = await openSinkEngine({
  directory,
  settings: engineSettings({ maxConcurrentTasks: 2, heartbeatIntervalMs: 15, ...scenario.settings }),
  failpoints: failpoint,
  ...(scenario.workflows === undefined ? {} : { workflows: scenario.workflows }),
  ...(scenario.kernel === undefined ? {} : { safetyKernel: awayAtFirst() }),
  spanOf: ({ runId, nodeId }) => {
    if (nodeId === scenario.pauseAt) pauseOnce(runId)
    if (nodeId !== scenario.cancelAt) return 3
    cancel(runId)
    return 60_000
  },
})
cancel = (runId) => {
  engine.cancelRun(runId).catch((thrown: unknown) => say({ type: 'problem', message: String(thrown) }))
}

/** What comes too late is no problem: the engine before this one may have done it. */
const tooLate = new Set(['run_already_final', 'run_not_paused'])

async function control(runId: RunId, action: 'pause' | 'resume'): Promise<void> {
  try {
    const wait = action === 'pause'
    await engine.controlRun({ runId, action, nodeId: null, by: null, reason: null, wait })
  } catch (thrown) {
    const { code, message } = recordOfThrown(thrown)
    if (!tooLate.has(code)) say({ type: 'problem', message })
  }
}

pauseOnce = (runId) => {
  pauseOnce = () => {}
  void control(runId, 'pause').then(() => control(runId, 'resume'))
}

/** A crash may have left the run paused with nobody to resume it. */
async function resumeWhatCrashed(runId: RunId): Promise<void> {
  const found = await engine.store.load(0, 'run', { runId })
  if (found !== null && found.pauseRequestedAt !== null) await control(runId, 'resume')
}

async function sendSignals(runId: RunId): Promise<void> {
  for (const signal of scenario.signals ?? []) {
    try {
      await engine.sendSignal({ runId, correlation: null, ...signal })
    } catch (thrown) {
      const { code, message } = recordOfThrown(thrown)
      if (!tooLate.has(code)) say({ type: 'problem', message })
    }
  }
}

/** As long as the process lives: what asks gets this answer, whoever asked. */
async function answerAll(of: RunId, answer: 'approve' | 'reject'): Promise<void> {
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
async function setPolicies({ policy, outputPolicy }: CrashScenario): Promise<void> {
  if (policy !== undefined && (await engine.policy.view()).hash === null)
    await engine.policy.set({ policy, by: 'ada', note: null })
  if (outputPolicy !== undefined && (await engine.outputs.policy.view()).isDefault)
    await engine.outputs.policy.change({ document: outputPolicy, ifHash: null, by: 'ada' })
}

/** The end of the run, after all that people do about it. */
async function ended(of: RunId): Promise<RunRecord> {
  const operator = scenario.operator === undefined ? null : operators[scenario.operator]
  for (;;) {
    const found = await engine.waitForRun(of)
    if (operator === null || !(await operator(engine, found))) return found
  }
}

/** Runs that it started and didn't wait for are part of the story. */
async function waitForOthers(): Promise<void> {
  const filter = { statuses: null, workflowId: null, includeCore: false }
  const all = await engine.store.list(0, 'runs', { filter, page: { after: null, limit: 100 } })
  await Promise.all(all.map(({ id }) => engine.waitForRun(id)))
}

await engine.start()
say({ type: 'ready' })
await setPolicies(scenario)
const request = { document: scenario.document, input: { order: 7 }, baseDirectory: null, requestId: name }
const { runId } = await engine.startRun(request)
say({ type: 'accepted', runId })
if (scenario.pauseAt !== undefined) await resumeWhatCrashed(runId)
if (scenario.approves) void answerAll(runId, 'approve')
if (scenario.rejects) void answerAll(runId, 'reject')
await sendSignals(runId)
const run = await ended(runId)
await waitForOthers()
const output = run.output?.kind === 'inline' ? run.output.json : null
await engine.stop()
await engine.store.close()
say({ type: 'finished', runId, status: run.status, output, passed })
release()
