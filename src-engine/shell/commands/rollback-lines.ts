/** A run's rollback as lines: what is undone, what stays and why, and what may be done about it. */

import type { SagaEntry, SagaView, UndoState } from '../../protocol/saga.ts'
import type { Terminal } from '../terminal.ts'

/** In the order in which things are undone. Nothing for a run that has nothing to undo. */
export function printRollback(terminal: Terminal, saga: SagaView, titleOf: (nodeId: string) => string): void {
  const { entries, leftBehind, hasBegun } = saga
  if (entries.length === 0) return
  const { bold, dim, yellow } = terminal.colors
  const at = (path: string): string => (path === '' ? '' : `  ${dim(`[${path}]`)}`)
  terminal.line(`\n${bold(hasBegun ? 'Rollback' : 'Can be undone')}`)
  for (const entry of entries) {
    terminal.line(
      `${markOf(terminal, entry.state)} ${titleOf(entry.nodeId)}  ${wordsOf(entry)}${at(entry.path)}`,
    )
  }
  if (leftBehind.length > 0) terminal.line(bold(hasBegun ? 'Left behind' : 'Would be left behind'))
  for (const { nodeId, path, reason, message, by } of leftBehind) {
    const who = by === null || (reason !== 'skipped' && reason !== 'abandoned') ? '' : ` (${by})`
    const words = reason.replaceAll('_', ' ')
    terminal.line(`${yellow('!')} ${titleOf(nodeId)}  ${words}: ${message}${who}${at(path)}`)
  }
  for (const line of helpOf(saga)) terminal.line(dim(`→ ${line}`))
}

function markOf({ colors }: Terminal, state: UndoState): string {
  if (state === 'done') return colors.green('↩')
  if (state === 'failed') return colors.red('✗')
  return state === 'skipped' ? colors.yellow('-') : colors.blue('•')
}

const words: Readonly<Record<UndoState, string>> = {
  recorded: 'recorded',
  pending: 'waits for its turn',
  running: 'is being undone',
  done: 'undone',
  failed: 'could not be undone',
  skipped: 'passed over',
}

function wordsOf({ state, attempts, uncertain, error }: SagaEntry): string {
  const tries = attempts > 1 ? ` (${attempts} attempts)` : ''
  const doubt = uncertain ? ', though nobody knows whether it had its effect' : ''
  const why = state === 'failed' && error !== null ? `: ${error.message} [${error.code}]` : ''
  return `${words[state]}${tries}${doubt}${why}`
}

function helpOf({ runId, actions }: SagaView): readonly string[] {
  if (actions.includes('retry'))
    return [`Decide: sagasmith runs undo ${runId} retry|skip|abandon [--step STEP]`]
  return actions.includes('compensate') ? [`Undo it all: sagasmith runs compensate ${runId}`] : []
}
