/** Runs the user's code in a disposable process and hands on what it returned. */

import { throwIfAborted } from '../abort.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { Ending } from './ending.ts'
import { endingValue, isEnding } from './ending.ts'
import type { SandboxProcess } from './sandbox-host.ts'
import type { SandboxMessage, SandboxRequest } from './sandbox-message.ts'
import { hardLimitFactor, startMsMax } from './sandbox-message.ts'
import type { JavaScriptParameters } from './spec.ts'

/** The JavaScript step with what it needs from outside. */
export function createJavaScriptRun(ports: Pick<TaskPorts, 'sandbox'>): TaskRun<JavaScriptParameters> {
  return {
    async execute(parameters, context) {
      throwIfAborted(context.signal)
      const sandbox = ports.sandbox.start()
      try {
        const ending = await answered(sandbox, requestOf(parameters, context), context)
        throwIfAborted(context.signal)
        return completed(endingValue(ending, parameters))
      } finally {
        sandbox.kill()
      }
    },
  }
}

function requestOf(parameters: JavaScriptParameters, context: TaskContext): SandboxRequest {
  const { now } = context.run
  const frozen = typeof now === 'string' ? Date.parse(now) : now
  return {
    code: parameters.code,
    hasTypes: parameters.language === 'typescript',
    input: JSON.stringify(context.input),
    run: JSON.stringify({ ...context.run, idempotencyKey: context.idempotencyKey }),
    vars: JSON.stringify(context.vars),
    timeoutMs: parameters.timeoutMs,
    memoryBytes: parameters.memoryMb * 1024 * 1024,
    now: typeof frozen === 'number' && Number.isFinite(frozen) ? frozen : context.clock.now(),
    seed: Math.floor(context.random.next() * 2 ** 32),
  }
}

/** How the code ended. The process is killed when it doesn't answer in time or the attempt is cancelled. */
function answered(sandbox: SandboxProcess, request: SandboxRequest, context: TaskContext): Promise<Ending> {
  return new Promise((resolve) => {
    let cancelLimit = context.clock.after(startMsMax, () => stop({ kind: 'gone' }))
    const abort = () => stop({ kind: 'gone' })
    const stop = (ending: Ending) => {
      cancelLimit()
      context.signal.removeEventListener('abort', abort)
      sandbox.kill()
      resolve(ending)
    }
    context.signal.addEventListener('abort', abort, { once: true })
    sandbox.onExit(() => stop({ kind: 'gone' }))
    sandbox.onText((text) => {
      const message = messageOf(text)
      if (message === null) return
      if (message.kind === 'ready') {
        cancelLimit()
        const hardLimitMs = request.timeoutMs * hardLimitFactor
        cancelLimit = context.clock.after(hardLimitMs, () => stop({ kind: 'limit', limit: 'time' }))
        sandbox.send(JSON.stringify(request))
      } else if (message.kind === 'log') {
        context.log({ level: message.level, stream: 'console', text: message.text })
      } else if (isEnding(message)) stop(message)
    })
  })
}

/** Our own process writes these; what it can't have written is ignored, and its silence has a limit. */
function messageOf(text: string): SandboxMessage | null {
  const message = parseJson(text)
  if (!message.ok || typeof message.value !== 'object' || message.value === null) return null
  return 'kind' in message.value ? (message.value as unknown as SandboxMessage) : null
}
