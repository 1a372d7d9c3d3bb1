/**
 * A sandbox in this process, for code that ends by itself: what it may do and what it says is decided by the code that a
 * sandbox's process runs, too, and to start a process takes twenty times as long. Code that must be ended, or wants out,
 * is for real processes.
 */

import { newLimitedQuickJs } from '../../src-engine/tasks/javascript/limited-quickjs.ts'
import type { SandboxHost, SandboxProcess } from '../../src-engine/tasks/javascript/sandbox-host.ts'
import type { SandboxLine } from '../../src-engine/tasks/javascript/sandbox-session.ts'
import { serveSandbox } from '../../src-engine/tasks/javascript/sandbox-session.ts'

/** As processes do it, texts come later and in order, none after the end, and the end is told once. */
export const sandboxHere: SandboxHost = {
  start(): SandboxProcess {
    const told: string[] = []
    let hasEnded = false
    let toEngine = (text: string): void => void told.push(text)
    let toGuest: (text: string) => void = () => {}
    let onExit = (): void => {}
    const later = (call: () => void): void => void setImmediate(call)
    const end = (): void => {
      if (hasEnded) return
      hasEnded = true
      later(() => onExit())
    }
    const serve = async (): Promise<void> => {
      const module = await newLimitedQuickJs()
      if (hasEnded) return
      const line: SandboxLine = {
        send: (text) => later(() => toEngine(text)),
        onText(receive) {
          toGuest = receive
        },
        close: end,
      }
      serveSandbox(module, line, () => performance.now())
    }
    void serve()
    return {
      send: (text) => later(() => (hasEnded ? undefined : toGuest(text))),
      onText(receive) {
        toEngine = receive
        for (const text of told.splice(0)) receive(text)
      },
      onExit(receive) {
        onExit = receive
      },
      kill() {
        toEngine = () => {}
        end()
      },
    }
  },
}
