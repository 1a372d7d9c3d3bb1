/** The workflows that may run on this computer, each with the way to have it restricted again. */

import type { TrustedDocument } from '../../../../src-engine/model/document-trust.ts'
import { useDesigner } from '../../../state/context.ts'
import { revokeTrust } from '../../../state/follow-trust.ts'
import { fill } from '../../../text/messages.ts'
import { reasonWords, restrictedWords as words } from '../../../text/restricted-words.ts'
import own from '../../../trust/Trust.module.css'
import { Button } from '../../../ui/Button.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'

export function TrustedDocuments() {
  const { answer, error, refresh } = useLiveAnswer('documents.trusted', {})
  return (
    <section className={own['section']}>
      <h2>{words.listTitle}</h2>
      <p>{words.listLead}</p>
      {answer === null ? (
        <PageError error={error} />
      ) : answer.documents.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <table className={styles['table']} data-even data-testid="trusted-documents">
          <thead>
            <tr>
              <th scope="col">{words.workflow}</th>
              <th scope="col">{words.why}</th>
              <th scope="col">{words.reach}</th>
              <ActionsHead />
            </tr>
          </thead>
          <tbody>
            {answer.documents.map((item) => (
              <Row key={item.id} item={item} onDone={refresh} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

interface RowProps {
  readonly item: TrustedDocument
  readonly onDone: () => void
}

function Row({ item, onDone }: RowProps) {
  const { id, title, reason, reach } = item
  return (
    <tr data-testid={`trusted-${id}`}>
      <td>
        <span className={styles['name']}>{title}</span>
      </td>
      <td>{reasonWords[reason]}</td>
      <td title={reach.join('\n')}>
        {reach.length === 1 ? words.oneThing : fill(words.things, { count: reach.length })}
      </td>
      <td>
        <Revoke item={item} onDone={onDone} />
      </td>
    </tr>
  )
}

function Revoke({ item: { id }, onDone }: RowProps) {
  const designer = useDesigner()
  return (
    <div className={styles['actions']}>
      <Button isSmall testId={`untrust-${id}`} onClick={() => void revokeTrust(designer, id).then(onDone)}>
        {words.revokeShort}
      </Button>
    </div>
  )
}
