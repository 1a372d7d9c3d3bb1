/** A run whose version nobody there would execute: who refuses it and why, and what can be done from here. */

import { Check, PenLine } from 'lucide-react'
import type { DefinitionHash } from '../../src-engine/model/ids.ts'
import type { TrustView } from '../../src-engine/protocol/trust.ts'
import { useDesigner, useLine } from '../state/context.ts'
import { attempt } from '../state/designer.ts'
import { fill } from '../text/messages.ts'
import { refusalWords, trustWords as words } from '../text/trust-words.ts'
import { Button } from '../ui/Button.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { useLiveAnswer } from '../ui/use-live-answer.ts'
import { signatureWords } from './signature-words.ts'
import styles from './Trust.module.css'

export function TrustNotice({ hash }: { readonly hash: DefinitionHash }) {
  const { answer, refresh } = useLiveAnswer('trust.definition', { hash })
  if (answer === null) return null
  const refusing = answer.runners.filter(({ accepts }) => !accepts)
  return (
    <section className={styles['notice']} aria-label={words.title} data-testid="trust-notice">
      <div>
        <h3>{words.title}</h3>
        <p>
          <code>{hash.slice(0, 16)}…</code> {signatureWords(answer.signatures)}
        </p>
        <ul>
          {refusing.map(({ runnerId, host, policy }) => (
            <li key={runnerId}>{fill(words.refuses, { host, why: refusalWords[policy] })}</li>
          ))}
        </ul>
      </div>
      <Decisions view={answer} onDone={refresh} />
    </section>
  )
}

/** Approving reaches runners of this computer, signing all that believe the key. */
function Decisions({ view, onDone }: { readonly view: TrustView; readonly onDone: () => void }) {
  const designer = useDesigner()
  const line = useLine()
  const keys = useAnswer('trust.list', {})?.own ?? []
  const hashes = [view.hash, ...view.starts]
  const act = (work: () => Promise<unknown>) => (): void => {
    void attempt(designer, work).then(onDone)
  }
  const unused = keys.filter(({ key }) => key !== null && !view.signatures.some((one) => one.key === key))
  return (
    <div className={styles['acts']}>
      {view.decision === 'approved' ? (
        <p>{words.isApproved}</p>
      ) : (
        <Button
          isSmall
          icon={Check}
          testId="trust-approve"
          title={words.approveHint}
          onClick={act(() => line.call('trust.decide', { hashes, decision: 'approve' }))}
        >
          {words.approveHere}
        </Button>
      )}
      {unused.map(({ name }) => (
        <Button
          key={name}
          isSmall
          icon={PenLine}
          testId={`trust-sign-${name}`}
          onClick={act(() => line.call('trust.sign', { hashes, key: name }))}
        >
          {fill(words.signWith, { name })}
        </Button>
      ))}
    </div>
  )
}
