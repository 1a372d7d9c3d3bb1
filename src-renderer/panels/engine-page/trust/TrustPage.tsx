/** What this computer trusts: keys that vouch, keys of its own, and versions that were decided here. */

import type { DefinitionHash } from '../../../../src-engine/model/ids.ts'
import type { OutputOf } from '../../../../src-engine/protocol/api.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { trustWords as words } from '../../../text/trust-words.ts'
import own from '../../../trust/Trust.module.css'
import { Button } from '../../../ui/Button.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { NewKeyForm, TrustKeyForm } from './KeyForms.tsx'
import { KeysTable, OwnKeysTable } from './KeyTables.tsx'
import { TrustedDocuments } from './TrustedDocuments.tsx'

type TrustList = OutputOf<'trust.list'>

export function TrustPage() {
  const { answer, error, refresh } = useLiveAnswer('trust.list', {})
  if (answer === null) return <PageError error={error} />
  return (
    <>
      <header className={styles['head']}>
        <h1>Trust</h1>
        <p>{words.lead}</p>
      </header>
      <TrustedDocuments />
      <section className={own['section']}>
        <h2>{words.keysTitle}</h2>
        {answer.trusted.length === 0 ? (
          <p>{words.noKeys}</p>
        ) : (
          <KeysTable keys={answer.trusted} onDone={refresh} />
        )}
        <TrustKeyForm onDone={refresh} />
      </section>
      <section className={own['section']}>
        <h2>{words.ownTitle}</h2>
        {answer.own.length === 0 ? (
          <p>{words.noOwn}</p>
        ) : (
          <OwnKeysTable keys={answer.own} trusted={answer.trusted} onDone={refresh} />
        )}
        <NewKeyForm onDone={refresh} />
      </section>
      <Decided list={answer} onDone={refresh} />
    </>
  )
}

function Decided({ list, onDone }: { readonly list: TrustList; readonly onDone: () => void }) {
  const { approved, revoked } = list
  const rows = [
    ...approved.map((hash) => ({ hash, word: words.approved })),
    ...revoked.map((hash) => ({ hash, word: words.revoked })),
  ]
  return (
    <section className={own['section']}>
      <h2>{words.decidedTitle}</h2>
      {rows.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <table className={styles['table']} data-even data-testid="trust-decided">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Here</th>
              <ActionsHead />
            </tr>
          </thead>
          <tbody>
            {rows.map(({ hash, word }) => (
              <tr key={hash}>
                <td>
                  <code title={hash}>{`${hash.slice(0, 24)}…`}</code>
                </td>
                <td>{word}</td>
                <td>
                  <DecisionButtons hash={hash} isApproved={word === words.approved} onDone={onDone} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function DecisionButtons(props: {
  readonly hash: DefinitionHash
  readonly isApproved: boolean
  readonly onDone: () => void
}) {
  const { hash, isApproved, onDone } = props
  const designer = useDesigner()
  const decide = (decision: 'approve' | 'revoke' | 'forget') => (): void => {
    const input = { hashes: [hash], decision }
    void attempt(designer, () => designer.connection.call('trust.decide', input)).then(onDone)
  }
  return (
    <div className={styles['actions']}>
      <Button isSmall onClick={decide(isApproved ? 'revoke' : 'approve')}>
        {isApproved ? words.revokeHere : words.approveHere}
      </Button>
      <Button isSmall onClick={decide('forget')}>
        {words.forget}
      </Button>
    </div>
  )
}
