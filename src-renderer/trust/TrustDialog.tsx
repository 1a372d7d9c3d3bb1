/** All that the document in front may touch, and whether it is trusted with it. */

import type { DocumentStanding } from '../../src-engine/model/document-trust.ts'
import type { Reached } from '../../src-engine/model/reach.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import { useDesigner, useDocument, useTrust } from '../state/context.ts'
import { revokeTrust, trustOpen } from '../state/follow-trust.ts'
import { fill } from '../text/messages.ts'
import { reachWords, restrictedWords as words } from '../text/restricted-words.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import type { ReachRow } from './reach-groups.ts'
import { reachGroups } from './reach-groups.ts'
import styles from './TrustDialog.module.css'

export function TrustDialog() {
  const designer = useDesigner()
  const standing = useTrust((state) => state.standing)
  const { title } = useDocument(({ history }) => history.document)
  const close = (): void => designer.view.getState().setDialog(null)
  if (standing === null) return null
  return (
    <Modal title={fill(words.title, { title })} onClose={close} testId="trust-dialog" width={600}>
      <div className={styles['body']}>
        <p>{leadOf(standing)}</p>
        <Groups standing={standing} />
        <p className={styles['limits']}>{words.limits}</p>
        <Answers standing={standing} onClose={close} />
      </div>
    </Modal>
  )
}

function leadOf({ status, reason }: DocumentStanding): string {
  if (status === 'trusted') return words.leadTrusted
  return reason === null ? words.lead : words.leadWider
}

function Groups({ standing: { reach, beyond, reason } }: { readonly standing: DocumentStanding }) {
  const groups = reachGroups(reach, reason === null ? [] : beyond)
  if (groups.length === 0) return <p>{words.nothing}</p>
  return (
    <section
      className={styles['groups']}
      data-testid="trust-reach"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
      tabIndex={0}
      aria-label={words.reach}
    >
      {groups.map(({ what, rows }) => (
        <section key={what} data-reach={what}>
          <h3>{reachWords[what].title}</h3>
          <ul>
            {rows.map((row) => (
              <Row key={row.text} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

function Row({ row: { text, decidedByRun, isNew, places } }: { readonly row: ReachRow }) {
  const titleOf = useTitles()
  return (
    <li data-new={isNew || undefined}>
      <div>
        <code>{text}</code>
        {isNew && <em>{words.isNew}</em>}
        {decidedByRun && <em>{words.decided}</em>}
      </div>
      <small>{[...new Set(places.map(titleOf))].join(', ')}</small>
    </li>
  )
}

/** What a step is called, and what is said where no step is. */
function useTitles(): (item: Reached) => string {
  const designer = useDesigner()
  const nodes = useDocument(({ history }) => history.document.nodes)
  return ({ nodeId, kind }) => {
    if (nodeId === null)
      return kind === null ? words.whole : (triggerSpecsByKind.get(kind)?.title ?? words.trigger)
    const node = nodes[nodeId]
    return node?.title ?? designer.specs.get(node?.kind ?? '')?.title ?? nodeId
  }
}

function Answers(props: { readonly standing: DocumentStanding; readonly onClose: () => void }) {
  const { standing, onClose } = props
  const designer = useDesigner()
  const id = useDocument(({ history }) => history.document.id)
  if (standing.status === 'trusted') {
    return (
      <footer>
        {standing.reason !== null && (
          <Button testId="trust-revoke" onClick={() => void revokeTrust(designer, id)}>
            {words.revoke}
          </Button>
        )}
        <Button data-focus onClick={onClose}>
          Close
        </Button>
      </footer>
    )
  }
  return (
    <footer>
      {/* Enter without looking changes nothing. */}
      <Button data-focus testId="trust-keep" onClick={onClose}>
        {words.keep}
      </Button>
      <Button kind="primary" testId="trust-confirm" onClick={() => void trustOpen(designer).then(onClose)}>
        {words.trust}
      </Button>
    </footer>
  )
}
