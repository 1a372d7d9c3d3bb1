/** Runs a piece of code in a QuickJS of its own. What comes out of it is text, and is not trusted. */

import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten'
import { guestPrelude } from './guest-prelude.ts'
import type { SandboxMessage, SandboxRequest } from './sandbox-message.ts'
import {
  guestStackBytes,
  logLineCharsMax,
  logLinesMax,
  thrownCharsMax,
  uncutCharsMax,
} from './sandbox-message.ts'

export interface GuestPorts {
  readonly send: (message: SandboxMessage) => void
  /** A clock for the deadline; only differences count. */
  readonly elapsedMs: () => number
}

const fileName = 'code.js'

/**
 * Runs the code to its end or its deadline and says how it went. The module must not be used again.
 *
 * QuickJS asks whether it is over once in ten thousand calls and jumps, never within a call of its own: code whose
 * calls take long each (`Array.from` of many, sorting) goes on past its deadline. Only the end of its process bounds
 * that, which whoever started it brings about (`hardLimitFactor`).
 */
export function runGuest(
  module: QuickJSWASMModule,
  request: SandboxRequest,
  ports: GuestPorts,
): SandboxMessage {
  const deadline = ports.elapsedMs() + request.timeoutMs
  const isOver = () => ports.elapsedMs() > deadline
  const runtime = module.newRuntime()
  runtime.setMemoryLimit(request.memoryBytes)
  runtime.setMaxStackSize(guestStackBytes)
  runtime.setInterruptHandler(isOver)
  const vm = runtime.newContext()
  // Nothing is disposed: the process ends, and disposing a broken instance would end it the hard way.
  offerLog(vm, ports.send)
  for (const name of ['input', 'run', 'vars'] as const) setText(vm, `__${name}`, request[name])
  setText(vm, '__seeds', JSON.stringify({ now: request.now, seed: request.seed }))
  const prelude = vm.evalCode(guestPrelude, 'prelude.js')
  if (prelude.error !== undefined) return failure(vm, prelude.error, { isOver: isOver(), fileName })
  const invoke = prelude.value
  // On one line with the code, so that line numbers are the user's own.
  const source = `(async function (input, run, vars) {"use strict"; ${request.code}\n})`
  const compiled = vm.evalCode(source, fileName)
  if (compiled.error !== undefined) return failure(vm, compiled.error, { isOver: isOver(), fileName })
  const called = vm.callFunction(invoke, vm.undefined, compiled.value)
  if (called.error !== undefined) return failure(vm, called.error, { isOver: isOver(), fileName })
  const jobs = runtime.executePendingJobs()
  if (jobs.error !== undefined) return failure(vm, jobs.error, { isOver: isOver(), fileName })
  return settled(vm, called.value, isOver)
}

function settled(vm: QuickJSContext, promise: QuickJSHandle, isOver: () => boolean): SandboxMessage {
  const state = vm.getPromiseState(promise)
  if (state.type === 'rejected') return failure(vm, state.error, { isOver: isOver(), fileName })
  if (state.type === 'fulfilled') {
    const json = vm.typeof(state.value) === 'string' ? vm.getString(state.value) : null
    return { kind: 'returned', json }
  }
  if (isOver()) return { kind: 'limit', limit: 'time' }
  const message = 'The code waits for a promise that nothing will ever resolve.'
  return { kind: 'threw', name: 'Error', message, line: null }
}

/** The only function of the host that the guest can call. */
export function offerLog(vm: QuickJSContext, send: GuestPorts['send'], charsMax = logLineCharsMax): void {
  let count = 0
  const log = vm.newFunction('__log', (levelHandle, textHandle) => {
    count += 1
    if (count > logLinesMax) return
    const level = levelOf(vm.getString(levelHandle))
    const text = vm.getString(textHandle).slice(0, charsMax)
    send({ kind: 'log', level, text: count === logLinesMax ? '… more lines are not kept' : text })
  })
  vm.setProp(vm.global, '__log', log)
}

function levelOf(text: string): 'debug' | 'info' | 'warn' | 'error' {
  return text === 'debug' || text === 'warn' || text === 'error' ? text : 'info'
}

/** A text as a global of the guest. */
export function setText(vm: QuickJSContext, name: string, text: string): void {
  vm.setProp(vm.global, name, vm.newString(text))
}

interface Thrown {
  readonly isOver: boolean
  readonly fileName: string
  readonly charsMax?: number
}

/** What was thrown, with the place in the code where it was. */
export function failure(
  vm: QuickJSContext,
  error: QuickJSHandle,
  { isOver, fileName: ownName, charsMax = thrownCharsMax }: Thrown,
): SandboxMessage {
  if (isOver) return { kind: 'limit', limit: 'time' }
  const name = textProperty(vm, error, 'name') ?? 'Error'
  const message = (textProperty(vm, error, 'message') ?? thrownText(vm, error)).slice(0, charsMax)
  if (name === 'InternalError' && message === 'interrupted') return { kind: 'limit', limit: 'time' }
  if (message === 'out of memory') return { kind: 'limit', limit: 'memory' }
  if (message === 'stack overflow') return { kind: 'limit', limit: 'stack' }
  const stack = textProperty(vm, error, 'stack') ?? ''
  const [, line, column] =
    new RegExp(`${ownName.replaceAll(/[^\w-]/g, '\\$&')}:(\\d+)(?::(\\d+))?`).exec(stack) ?? []
  const place = column === undefined ? {} : { column: Number(column) }
  return { kind: 'threw', name, message, line: line === undefined ? null : Number(line), ...place }
}

function textProperty(vm: QuickJSContext, object: QuickJSHandle, name: string): string | null {
  if (vm.typeof(object) !== 'object') return null
  const value = vm.getProp(object, name)
  return vm.typeof(value) === 'string' ? vm.getString(value).slice(0, uncutCharsMax) : null
}

/** `throw 'text'` and the like. */
function thrownText(vm: QuickJSContext, thrown: QuickJSHandle): string {
  const text = vm.typeof(thrown) === 'string' ? vm.getString(thrown) : JSON.stringify(vm.dump(thrown))
  return text ?? 'undefined'
}
