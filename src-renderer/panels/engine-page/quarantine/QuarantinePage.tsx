/** Results that the output policy holds back: why, what was found, and what a person decides about them. */

import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { pageSizeMax } from '../../../../src-engine/model/limits.ts'
import type { QuarantineEntry } from '../../../../src-engine/protocol/quarantine.ts'
import { fill } from '../../../text/messages.ts'
import { quarantine as words } from '../../../text/quarantine-words.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { PageError } from '../PageError.tsx'
import { RowTop } from '../split/RowTop.tsx'
import { SplitList } from '../split/SplitList.tsx'
import split from '../split/SplitPage.module.css'
import { SplitPage } from '../split/SplitPage.tsx'
import { QuarantineDetail } from './QuarantineDetail.tsx'

const query = { workflowId: null, runId: null, after: null, limit: pageSizeMax }

export function QuarantinePage() {
  const { answer, error, refresh } = useLiveAnswer('quarantine.list', query)
  const policy = useAnswer('outputPolicy.get', {})
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (answer === null) return <PageError error={error} />
  const { entries } = answer
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={ShieldCheck}
        text={policy?.setting === false ? `${words.empty} ${words.off}` : words.empty}
        testId="quarantine-empty"
      />
    )
  }
  const chosen = entries.find((entry) => idOf(entry) === chosenId) ?? entries[0] ?? null
  return (
    <SplitPage
      label={words.page}
      list={
        <SplitList
          label={words.list}
          name="quarantine"
          entries={entries}
          chosen={chosen}
          idOf={idOf}
          onChoose={setChosenId}
          Row={Row}
        />
      }
      foot={<span>{entries.length === 1 ? words.one : fill(words.many, { count: entries.length })}</span>}
    >
      {chosen !== null && <QuarantineDetail key={idOf(chosen)} entry={chosen} onDone={refresh} />}
    </SplitPage>
  )
}

const idOf = ({ invocationId }: QuarantineEntry): string => invocationId

function Row({ entry }: { readonly entry: QuarantineEntry }) {
  const { workflowTitle, at, decision, severity, reason } = entry
  return (
    <>
      <RowTop title={workflowTitle} at={at} />
      <span className={split['reason']}>{`${words.decisions[decision]} · ${words.severity[severity]}`}</span>
      <span className={split['message']}>{reason}</span>
    </>
  )
}
