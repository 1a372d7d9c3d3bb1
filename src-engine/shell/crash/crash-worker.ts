/**
 * Entry of a worker that was started to be killed: it resumes one run, takes the steps that go on in the same
 * commit, and dies by SIGKILL at the moment that it was started with. It takes nothing else, ever: neither the
 * engine nor a `sagasmith runner` has such a moment in it.
 */

import { recordOfThrown } from '../../model/errors.ts'
import { runId } from '../../model/ids.ts'
import type { CrashMoment } from '../../protocol/crash.ts'
import type { FailpointName } from '../../runtime/failpoints.ts'
import { holdProcess, systemClock } from '../../runtime/system-ports.ts'
import type { ParentLine } from '../../tasks/parent-line.ts'
import { openParentLine } from '../../tasks/parent-line.ts'
import type { ComposedEngine } from '../compose-engine.ts'
import { composeEngine } from '../compose-engine.ts'
import { loadSettings } from '../config.ts'
import { dataDirectory } from '../data-directory.ts'
import { createFileLogger } from '../log.ts'
import { openVault } from '../vault.ts'
import { createCallbackUrls } from '../webhooks/callback-urls.ts'
import type { CrashOrder, CrashWord } from './crash-message.ts'

/** Where it dies. */
const placeOf: Readonly<Record<CrashMoment, FailpointName>> = {
  now: 'attempt.before-execute',
  'before-commit': 'attempt.before-commit',
  'after-effect': 'attempt.effect-done',
}

const line = openParentLine()
const release = holdProcess()
line.onText((text) => {
  // The engine wrote it; nobody else has this end of the line.
  void follow(line, JSON.parse(text) as CrashOrder).finally(() => {
    line.close()
    release()
  })
})

async function follow(to: ParentLine, order: CrashOrder): Promise<void> {
  const say = (word: CrashWord): void => to.send(JSON.stringify(word))
  try {
    say({ kind: 'ended', steps: await work(order, to, say) })
  } catch (thrown) {
    say({ kind: 'failed', message: recordOfThrown(thrown).message })
  }
}

async function work(order: CrashOrder, to: ParentLine, say: (word: CrashWord) => void): Promise<number> {
  let ends = 0
  const composed = await open(order, (name) => {
    if (name === placeOf[order.moment]) process.kill(process.pid, 'SIGKILL')
    if (name === 'attempt.after-commit') ends += 1
  })
  const { engine } = composed
  const gone = new AbortController()
  // Without the engine nobody waits for its death: it hands back what it has.
  to.onEnd(() => gone.abort())
  try {
    await engine.start()
    say({ kind: 'ready', runnerId: engine.runnerId, pid: process.pid })
    await engine.controlRun({
      runId: runId(order.runId),
      action: 'resume',
      nodeId: null,
      by: order.by,
      reason: `crash: ${order.moment}`,
      wait: false,
    })
    await engine.drain(gone.signal)
  } finally {
    await composed.close()
  }
  return ends
}

async function open(
  { dataDir, pools, vaultKey }: CrashOrder,
  failpoints: (name: FailpointName) => void,
): Promise<ComposedEngine> {
  const directory = dataDirectory(dataDir)
  const settings = loadSettings({ flags: { data: dataDir } })
  const { logLevel, logFormat } = settings.values
  // Whoever had this one started listens.
  const callbacks = createCallbackUrls({
    settings: settings.values,
    keyFile: directory.webhookKey,
    isOneMachine: true,
    clock: systemClock,
  })
  const composed = await composeEngine({
    callbacks,
    directory,
    clock: systemClock,
    log: createFileLogger(directory.logs, { level: logLevel, format: logFormat }, systemClock),
    vault: openVault({
      directory,
      settings: settings.values,
      clock: systemClock,
      ...(vaultKey === null ? {} : { lent: vaultKey }),
    }),
    settings: { ...settings.engine, pools },
    kernel: settings.values,
    sealing: { wanted: settings.values.sealPayloads, watches: false },
    crash: { failpoints },
  })
  callbacks.attach({ engine: composed.engine, server: null })
  return composed
}
