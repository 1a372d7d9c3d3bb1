/**
 * Named places between two durable steps. In production nothing happens there; the crash harness makes the
 * process die at one of them. Each is a moment at which a real crash leaves a different trace.
 */

export const failpointNames = [
  'start.before-commit',
  'start.after-commit',
  'claim.before',
  'claim.after',
  'begin.before-commit',
  'begin.after-commit',
  'attempt.before-execute',
  'attempt.effect-done',
  'attempt.output-stored',
  'attempt.before-commit',
  'attempt.after-commit',
  'wake.before-commit',
  'wake.after-commit',
  'cancel.before-commit',
  'cancel.after-commit',
  'control.before-commit',
  'control.after-commit',
  'approval.before-commit',
  'approval.after-commit',
  'undo.before-commit',
  'undo.after-commit',
  'quarantine.before-commit',
  'quarantine.after-commit',
  'scan.before-commit',
  'scan.after-commit',
  'signal.before-commit',
  'signal.after-commit',
  'permit.before-wait',
  'permit.after-wait',
  'permit.released',
  'recovery.before-commit',
  'recovery.after-commit',
  'recovery.before-bury',
  'effect.before-delivery',
  'effect.after-delivery',
  'effect.delivered',
  'renew.before',
  'renew.after',
  'stop.before-goodbye',
] as const

export type FailpointName = (typeof failpointNames)[number]

/** Called at each place; returns when the process is to live on. */
export type Failpoints = (name: FailpointName) => void

export const noFailpoints: Failpoints = () => {}
