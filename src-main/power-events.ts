/** Tells the engine that the system is about to sleep or woke up: it then renews what it owns at once. */

import type { PowerHint } from './engine-messages.ts'

/** What is used of Electron's `powerMonitor`, which is there once the app is ready. */
export interface PowerMonitorLike {
  on(event: 'suspend' | 'resume', listener: () => void): unknown
}

export function forwardPowerEvents(monitor: PowerMonitorLike, tell: (hint: PowerHint) => void): void {
  monitor.on('suspend', () => tell('suspend'))
  monitor.on('resume', () => tell('resume'))
}
