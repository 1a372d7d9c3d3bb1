/** Runs the user's code in a disposable process and hands on what it returned. */

import { throwIfAborted } from '../abort.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed, tellable } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { Ending } from './ending.ts'
import { endingValue, isEnding, toldEnding } from './ending.ts'
import { packageGraph } from './packages/package-graph.ts'
import type { SandboxProcess } from './sandbox-host.ts'
import type { SandboxMessage, SandboxRequest, StopRequest } from './sandbox-message.ts'
import { hardLimitFactor, logLineCharsMax, startMsMax } from './sandbox-message.ts'
import type { JavaScriptParameters } from './spec.ts'

type Ports = Pick<TaskPorts, 'sandbox' | 'packages'>

/** The JavaScript step with what it needs from outside. */
export function createJavaScriptRun(ports: Ports): TaskRun<JavaScriptParameters> {
  return {
    async execute(parameters, context) {
      throwIfAborted(context.signal)
      const { code, packages } = parameters
      const request = requestOf(parameters, context)
      const graph =
        packages.length === 0
          ? {}
          : {
              packages: await packageGraph(
                { code, wanted: packages, signal: context.signal },
                ports.packages,
              ),
            }
      const sandbox = ports.sandbox.start()
      try {
        const ending = await answered(sandbox, { ...request, ...graph }, context)
        throwIfAborted(context.signal)
        return completed(endingValue(toldEnding(ending, context), parameters))
      } finally {
        sandbox.kill()
      }
    },
  }
}

function requestOf(parameters: JavaScriptParameters, context: TaskContext): SandboxRequest {
  const { now } = context.run
  const frozen = typeof now === 'string' ? Date.parse(now) : now
  const { idempotencyKey, attempt } = context
  return {
    code: parameters.code,
    hasTypes: parameters.language === 'typescript',
    input: JSON.stringify(context.input),
    run: JSON.stringify({ ...context.run, idempotencyKey }),
    vars: JSON.stringify(context.vars),
    context: JSON.stringify({ secrets: parameters.secrets, idempotencyKey, attempt }),
    timeoutMs: parameters.timeoutMs,
    memoryBytes: parameters.memoryMb * 1024 * 1024,
    now: typeof frozen === 'number' && Number.isFinite(frozen) ? frozen : context.clock.now(),
    seed: Math.floor(context.random.next() * 2 ** 32),
  }
}

/**
 * How the code ended. The process is killed when it doesn't answer in time or the attempt is cancelled; code that asked for
 * its signal is told first, and has a moment.
 */
function answered(sandbox: SandboxProcess, request: SandboxRequest, context: TaskContext): Promise<Ending> {
  const { clock, signal } = context
  return new Promise((resolve) => {
    let cancelLimit = clock.after(startMsMax, () => stop({ kind: 'gone' }))
    let cancelGrace = () => {}
    let listens = false
    const tell = () => {
      cancelGrace = clock.after(context.killGraceMs, () => stop({ kind: 'gone' }))
      sandbox.send(JSON.stringify(stopRequestOf(signal.reason)))
    }
    const abort = () => (listens ? tell() : stop({ kind: 'gone' }))
    const stop = (ending: Ending) => {
      cancelLimit()
      cancelGrace()
      signal.removeEventListener('abort', abort)
      sandbox.kill()
      resolve(ending)
    }
    signal.addEventListener('abort', abort, { once: true })
    sandbox.onExit(() => stop({ kind: 'gone' }))
    sandbox.onText((text) => {
      const message = messageOf(text)
      if (message === null) return
      if (message.kind === 'ready') {
        cancelLimit()
        const hardLimitMs = request.timeoutMs * hardLimitFactor
        cancelLimit = clock.after(hardLimitMs, () => stop({ kind: 'limit', limit: 'time' }))
        sandbox.send(JSON.stringify(request))
      } else if (message.kind === 'listens') listens = true
      else if (message.kind === 'log') tellLine(message, context)
      else if (isEnding(message)) stop(message)
    })
  })
}

const tellLine = ({ level, text }: Extract<SandboxMessage, { kind: 'log' }>, context: TaskContext): void =>
  context.log({ level, stream: 'console', text: tellable(context, text).slice(0, logLineCharsMax) })

const stopRequestOf = (reason: unknown): StopRequest =>
  reason === 'timeout'
    ? { stop: 'TimeoutError', why: 'The time of the step is over.' }
    : { stop: 'AbortError', why: 'The step is stopped.' }

/** Our own process writes these; what it can't have written is ignored, and its silence has a limit. */
function messageOf(text: string): SandboxMessage | null {
  const message = parseJson(text)
  if (!message.ok || typeof message.value !== 'object' || message.value === null) return null
  return 'kind' in message.value ? (message.value as unknown as SandboxMessage) : null
}
