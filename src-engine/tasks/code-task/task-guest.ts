/** Runs a task file in a QuickJS of its own. What comes out of it is text, and is not trusted. */

import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten'
import type { GuestPorts } from '../javascript/guest.ts'
import { failure, offerLog, setText } from '../javascript/guest.ts'
import { guestPrelude } from '../javascript/guest-prelude.ts'
import type { SandboxMessage } from '../javascript/sandbox-message.ts'
import { guestStackBytes } from '../javascript/sandbox-message.ts'
import { guestHarness, guestModule } from './guest-harness.ts'
import type { HttpAnswer, TaskGuestRequest } from './task-message.ts'

/** A task at work: it may wait for answers from outside. */
export interface TaskGuest {
  /** Null while it waits. */
  readonly ended: () => SandboxMessage | null
  readonly answer: (answer: HttpAnswer) => SandboxMessage | null
}

interface Scene {
  readonly vm: QuickJSContext
  readonly runtime: QuickJSRuntime
  readonly fileName: string
  readonly isOver: () => boolean
}

/** Begins; the module must not be used again. */
export function startTaskGuest(
  module: QuickJSWASMModule,
  request: TaskGuestRequest,
  ports: GuestPorts,
): TaskGuest {
  const deadline = ports.elapsedMs() + request.timeoutMs
  const runtime = module.newRuntime()
  const isOver = (): boolean => ports.elapsedMs() > deadline
  runtime.setMemoryLimit(request.memoryBytes)
  runtime.setMaxStackSize(guestStackBytes)
  runtime.setInterruptHandler(isOver)
  runtime.setModuleLoader((name) =>
    name === 'sagasmith'
      ? guestModule
      : { error: new Error(`A task file can import nothing but 'sagasmith', and it asks for '${name}'.`) },
  )
  const vm = runtime.newContext()
  // Nothing is disposed: the process ends, and disposing a broken instance would end it the hard way.
  const scene = { vm, runtime, fileName: request.fileName, isOver }
  /** Requests that nobody has answered yet. */
  let open = 0
  const send: GuestPorts['send'] = (message) => {
    if (message.kind === 'http') open += 1
    ports.send(message)
  }
  const begun = begin(scene, request, { ...ports, send })
  if ('kind' in begun) return { ended: () => begun, answer: () => begun }
  const { promise, settle } = begun
  const ended = (): SandboxMessage | null => settledAs(scene, promise) ?? (open === 0 ? waitsForever : null)
  return {
    ended,
    answer: ({ id, isDone, text }) => {
      open -= 1
      const given = [vm.newNumber(id), isDone ? vm.true : vm.false, vm.newString(text)]
      const called = vm.callFunction(settle, vm.undefined, ...given)
      return called.error === undefined ? ended() : failed(scene, called.error)
    },
  }
}

interface Begun {
  readonly promise: QuickJSHandle
  readonly settle: QuickJSHandle
}

/** Loads the file and calls into it, or says what went wrong on the way. */
function begin(scene: Scene, request: TaskGuestRequest, ports: GuestPorts): Begun | SandboxMessage {
  const { vm, runtime } = scene
  offerLog(vm, ports.send)
  offerHttp(vm, ports.send)
  const data = { input: request.context, run: '{}', vars: '{}' }
  for (const name of ['input', 'run', 'vars'] as const) setText(vm, `__${name}`, data[name])
  setText(vm, '__seeds', JSON.stringify({ now: request.now, seed: request.seed }))
  const prelude = vm.evalCode(guestPrelude, 'prelude.js')
  if (prelude.error !== undefined) return failed(scene, prelude.error)
  const harness = vm.evalCode(guestHarness, 'harness.js')
  if (harness.error !== undefined) return failed(scene, harness.error)
  const loaded = vm.evalCode(request.code, request.fileName, { type: 'module' })
  if (loaded.error !== undefined) return failed(scene, loaded.error)
  const jobs = runtime.executePendingJobs()
  if (jobs.error !== undefined) return failed(scene, jobs.error)
  // A file that awaits something at its top gives a promise of what it exports.
  const state = vm.getPromiseState(loaded.value)
  if (state.type === 'rejected') return failed(scene, state.error)
  if (state.type === 'pending') return waitsForever
  const task = vm.getProp(state.value, 'default')
  const role = vm.newString(request.role)
  const work = vm.callFunction(vm.getProp(harness.value, 'work'), vm.undefined, task, role)
  if (work.error !== undefined) return failed(scene, work.error)
  const called = vm.callFunction(prelude.value, vm.undefined, work.value)
  if (called.error !== undefined) return failed(scene, called.error)
  return { promise: called.value, settle: vm.getProp(harness.value, 'settle') }
}

const waitsForever: SandboxMessage = {
  kind: 'threw',
  name: 'Error',
  message: 'The code waits for a promise that nothing will ever resolve.',
  line: null,
}

/** How it ended; null while it waits for an answer. */
function settledAs(scene: Scene, promise: QuickJSHandle): SandboxMessage | null {
  const { vm, runtime, isOver } = scene
  const jobs = runtime.executePendingJobs()
  if (jobs.error !== undefined) return failed(scene, jobs.error)
  const state = vm.getPromiseState(promise)
  if (state.type === 'rejected') return failed(scene, state.error)
  if (state.type === 'fulfilled') {
    const json = vm.typeof(state.value) === 'string' ? vm.getString(state.value) : null
    return { kind: 'returned', json }
  }
  return isOver() ? { kind: 'limit', limit: 'time' } : null
}

const failed = ({ vm, isOver, fileName }: Scene, error: QuickJSHandle): SandboxMessage =>
  failure(vm, error, { isOver: isOver(), fileName })

/** Requests go out as text; whether one is sent is decided outside. */
function offerHttp(vm: QuickJSContext, send: GuestPorts['send']): void {
  const http = vm.newFunction('__http', (id, text) => {
    send({ kind: 'http', id: vm.getNumber(id), request: vm.getString(text) })
  })
  vm.setProp(vm.global, '__http', http)
}
