/** The letters, newest first, with the keys for what can be done about the chosen one. */

import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import { RowTop } from '../split/RowTop.tsx'
import { SplitList } from '../split/SplitList.tsx'
import styles from '../split/SplitPage.module.css'
import type { LetterAsks } from './letter-asks.ts'
import { askOfKey, canAsk } from './letter-asks.ts'
import { reasonWords, workflowWords } from './letter-words.ts'

export function LetterList(props: {
  readonly letters: readonly DeadLetter[]
  readonly chosen: DeadLetter | null
  /** How the run of the chosen one is now. */
  readonly runStatus: RunStatus | null
  readonly onChoose: (id: string) => void
  readonly onAsk: LetterAsks
}) {
  const { letters, chosen, runStatus, onChoose, onAsk } = props
  return (
    <SplitList
      label="Dead letters"
      name="letter"
      entries={letters}
      chosen={chosen}
      idOf={idOf}
      onChoose={onChoose}
      Row={Row}
      onKey={(key, letter) => {
        const ask = askOfKey(key)
        if (ask === null || !canAsk(ask, { letter, runStatus })) return false
        onAsk[ask](letter)
        return true
      }}
    />
  )
}

const idOf = ({ id }: DeadLetter): string => id

function Row({ entry: letter }: { readonly entry: DeadLetter }) {
  return (
    <>
      <RowTop title={workflowWords(letter)} at={letter.at} />
      <span className={styles['reason']}>{reasonWords(letter.reason)}</span>
      <span className={styles['message']}>{letter.message}</span>
    </>
  )
}
