/** Runs a piece of code in a QuickJS of its own. What comes out of it is text, and is not trusted. */

import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten'
import { functionOf, moduleOf, splitImports } from './guest-code.ts'
import { guestContext } from './guest-context.ts'
import { guestPrelude } from './guest-prelude.ts'
import { noPackages, offerPackages } from './packages/guest-packages.ts'
import type { SandboxMessage, SandboxRequest, StopRequest } from './sandbox-message.ts'
import { guestStackBytes, logLinesMax, tellAfterShare, uncutCharsMax } from './sandbox-message.ts'

export interface GuestPorts {
  readonly send: (message: SandboxMessage) => void
  /** A clock for the deadline; only differences count. */
  readonly elapsedMs: () => number
  /** Absent where nobody tells it anything. */
  readonly turns?: GuestTurns
}

/** What code that waits for something is told between two turns. */
export interface GuestTurns {
  /** Lets what was sent meanwhile arrive. */
  readonly next: () => Promise<void>
  readonly stopAsked: () => StopRequest | null
}

const fileName = 'code.js'
/** How many jobs are done in a turn. */
const turnJobs = 500

const noTurns: GuestTurns = { next: () => Promise.resolve(), stopAsked: () => null }

/**
 * Runs the code to its end or its deadline and says how it went. The module must not be used again.
 *
 * QuickJS asks whether it is over once in ten thousand calls and jumps, never within a call of its own: code whose
 * calls take long each (`Array.from` of many, sorting) goes on past its deadline. Only the end of its process bounds
 * that, which whoever started it brings about (`hardLimitFactor`).
 */
export async function runGuest(
  module: QuickJSWASMModule,
  request: SandboxRequest,
  { turns = noTurns, ...ports }: GuestPorts,
): Promise<SandboxMessage> {
  const begunMs = ports.elapsedMs()
  const deadline = begunMs + request.timeoutMs
  const isOver = () => ports.elapsedMs() > deadline
  const runtime = module.newRuntime()
  runtime.setMemoryLimit(request.memoryBytes)
  runtime.setMaxStackSize(guestStackBytes)
  runtime.setInterruptHandler(isOver)
  offerPackages(runtime, request.packages ?? noPackages)
  const vm = runtime.newContext()
  // Nothing is disposed: the process ends, and disposing a broken instance would end it the hard way.
  const scene: Scene = { vm, runtime, isOver }
  const begun = begin(scene, request, ports)
  if ('kind' in begun) return begun
  const tellAtMs = begunMs + request.timeoutMs * tellAfterShare
  for (;;) {
    const jobs = runtime.executePendingJobs(turnJobs)
    if (jobs.error !== undefined) return failed(scene, jobs.error)
    if (!runtime.hasPendingJob()) return settled(scene, begun.promise)
    if (isOver()) return { kind: 'limit', limit: 'time' }
    await turns.next()
    const stop = turns.stopAsked() ?? (ports.elapsedMs() > tellAtMs ? timeIsShort : null)
    if (stop === null) continue
    const told = vm.callFunction(begun.abort, vm.undefined, vm.newString(stop.stop), vm.newString(stop.why))
    if (told.error !== undefined) return failed(scene, told.error)
  }
}

const timeIsShort: StopRequest = { stop: 'TimeoutError', why: 'The time limit of the code is near.' }

interface Scene {
  readonly vm: QuickJSContext
  readonly runtime: QuickJSRuntime
  readonly isOver: () => boolean
}

interface Begun {
  readonly promise: QuickJSHandle
  /** Tells the code to end; it hears of it once. */
  readonly abort: QuickJSHandle
}

/** Calls the code, or says what went wrong on the way. */
function begin(scene: Scene, request: SandboxRequest, { send }: GuestPorts): Begun | SandboxMessage {
  const { vm } = scene
  offerLog(vm, send)
  for (const name of ['input', 'run', 'vars'] as const) setText(vm, `__${name}`, request[name])
  setText(vm, '__seeds', JSON.stringify({ now: request.now, seed: request.seed }))
  setText(vm, '__ctx', request.context ?? '{"secrets":{}}')
  const listens = vm.newFunction('__listens', () => {
    send({ kind: 'listens' })
  })
  vm.setProp(vm.global, '__listens', listens)
  const prelude = vm.evalCode(guestPrelude, 'prelude.js')
  if (prelude.error !== undefined) return failed(scene, prelude.error)
  const context = vm.evalCode(guestContext, 'context.js')
  if (context.error !== undefined) return failed(scene, context.error)
  const compiled = compile(scene, request.code)
  if ('kind' in compiled) return compiled
  const code = vm.callFunction(vm.getProp(context.value, 'withContext'), vm.undefined, compiled.code)
  if (code.error !== undefined) return failed(scene, code.error)
  const called = vm.callFunction(prelude.value, vm.undefined, code.value)
  if (called.error !== undefined) return failed(scene, called.error)
  return { promise: called.value, abort: vm.getProp(context.value, 'abort') }
}

/** The function of the code. */
function compile(scene: Scene, text: string): { readonly code: QuickJSHandle } | SandboxMessage {
  const { vm, runtime } = scene
  const { imports, body } = splitImports(text)
  if (imports === '') {
    const compiled = vm.evalCode(functionOf(body), fileName)
    return compiled.error === undefined ? { code: compiled.value } : failed(scene, compiled.error)
  }
  const loaded = vm.evalCode(moduleOf(imports, body), fileName, { type: 'module' })
  if (loaded.error !== undefined) return failed(scene, loaded.error)
  const jobs = runtime.executePendingJobs()
  if (jobs.error !== undefined) return failed(scene, jobs.error)
  // A package that awaits something at its top gives a promise of what the module exports.
  const state = vm.getPromiseState(loaded.value)
  if (state.type === 'rejected') return failed(scene, state.error)
  if (state.type === 'pending') return waitsForever
  return { code: vm.getProp(state.value, 'default') }
}

const waitsForever: SandboxMessage = {
  kind: 'threw',
  name: 'Error',
  message: 'The code waits for a promise that nothing will ever resolve.',
  line: null,
}

function settled(scene: Scene, promise: QuickJSHandle): SandboxMessage {
  const { vm, isOver } = scene
  const state = vm.getPromiseState(promise)
  if (state.type === 'rejected') return failed(scene, state.error)
  if (state.type === 'fulfilled') {
    const json = vm.typeof(state.value) === 'string' ? vm.getString(state.value) : null
    return { kind: 'returned', json }
  }
  return isOver() ? { kind: 'limit', limit: 'time' } : waitsForever
}

const failed = ({ vm, isOver }: Scene, error: QuickJSHandle): SandboxMessage =>
  failure(vm, error, { isOver: isOver(), fileName })

/** The guest's way into the log. */
export function offerLog(vm: QuickJSContext, send: GuestPorts['send']): void {
  let count = 0
  const log = vm.newFunction('__log', (levelHandle, textHandle) => {
    count += 1
    if (count > logLinesMax) return
    const level = levelOf(vm.getString(levelHandle))
    const text = vm.getString(textHandle).slice(0, uncutCharsMax)
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
}

/** What was thrown, with the place in the code where it was. */
export function failure(
  vm: QuickJSContext,
  error: QuickJSHandle,
  { isOver, fileName: ownName }: Thrown,
): SandboxMessage {
  if (isOver) return { kind: 'limit', limit: 'time' }
  const name = textProperty(vm, error, 'name') ?? 'Error'
  const message = (textProperty(vm, error, 'message') ?? thrownText(vm, error)).slice(0, uncutCharsMax)
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
