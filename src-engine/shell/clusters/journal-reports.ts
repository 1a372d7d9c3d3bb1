/** What people are told of operations that a failover of a cluster took back: in the log, and in a book that stays. */

import { recordOfThrown } from '../../model/errors.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { JournalOptions, ReplayReport } from '../../store/redis/journal/journal-options.ts'
import { lostOpText } from '../../store/redis/journal/lost-op.ts'
import type { DataDirectory } from '../data-directory.ts'
import { noteLoss } from './loss-book.ts'

/** Who keeps the journal, and who else is told. */
interface JournalUser {
  readonly directory: Pick<DataDirectory, 'journals'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly onReplayed?: (report: ReplayReport) => void
}

/** The journal of a process that writes to clusters. */
export function journalOf({ directory, clock, log, onReplayed }: JournalUser): JournalOptions {
  return {
    directory: directory.journals,
    onTrouble: (thrown) => log.error('journal.not-written', { message: recordOfThrown(thrown).message }),
    onDamage: (found) => log.warn('journal.damaged', { ...found }),
    onReplayed(report) {
      const { gone, ...counts } = report
      const level = gone.length > 0 || report.isCut ? 'error' : 'warn'
      log[level]('store.replayed', { ...counts, lostForGood: gone.length, words: replayText(report) })
      for (const lost of gone)
        log.error('store.operation-lost', { ...lost, at: { ...lost.at }, words: lostOpText(lost) })
      try {
        noteLoss(directory.journals, { at: clock.now(), report })
      } catch (thrown) {
        log.error('journal.not-written', { message: recordOfThrown(thrown).message })
      }
      onReplayed?.(report)
    },
  }
}

/** What became of it in one sentence. */
function replayText({ partition, lost, broughtBack, there, gone, isCut }: ReplayReport): string {
  const rest = gone.length === 0 ? 'none is lost' : `${gone.length} are lost and listed`
  const more = isCut ? ' More was lost than the journal still held.' : ''
  const again = there === 0 ? '' : `, ${there} were there again already`
  return `A failover took back ${lost} operations of this process in partition ${partition}: ${broughtBack} were written again${again}, ${rest}.${more}`
}
