/** What is to be approved, exactly as the decision is about it, and the ways to decide. */

import type { LucideIcon } from 'lucide-react'
import { Check, CornerUpLeft, Fingerprint, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { ApprovalAnswer } from '../../src-engine/model/approval.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { ApprovalView } from '../../src-engine/protocol/approvals.ts'
import { FormProvider } from '../forms/FormProvider.tsx'
import { SettingsForm } from '../forms/SettingsForm.tsx'
import { fixedValues, withField } from '../forms/schema-fields.ts'
import { useDesigner } from '../state/context.ts'
import { decideApproval, loadInbox, personOf, setPerson } from '../state/follow-inbox.ts'
import { inputDefaults } from '../state/run-input.ts'
import { approvals as words } from '../text/approval-words.ts'
import { Button } from '../ui/Button.tsx'
import controls from '../ui/controls.module.css'
import { JsonTree } from '../ui/JsonTree.tsx'
import { Markdown } from '../ui/Markdown.tsx'
import styles from './Approval.module.css'
import { ApprovalFacts } from './ApprovalFacts.tsx'

const buttons: Readonly<
  Record<ApprovalAnswer, { readonly icon: LucideIcon; readonly kind?: 'primary' | 'danger' }>
> = {
  approve: { icon: Check, kind: 'primary' },
  reject: { icon: X, kind: 'danger' },
  'push-back': { icon: CornerUpLeft },
}

const noProblems = { nodeId: null, problems: [], isReadOnly: false, onLeave: () => undefined }

export function ApprovalForm({ entry }: { readonly entry: ApprovalView }) {
  const designer = useDesigner()
  const field = useId()
  const schema = entry.form === null ? null : fixedValues(entry.form)
  const [values, setValues] = useState<JsonObject>({})
  const [comment, setComment] = useState('')
  const [person, setName] = useState(() => personOf(designer))
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const send = async (answer: ApprovalAnswer): Promise<void> => {
    setSent(true)
    setProblem(null)
    const filled = schema === null || answer !== 'approve' ? null : { ...inputDefaults(schema), ...values }
    const said = comment.trim() === '' ? null : comment.trim()
    const by = person.trim() === '' ? null : person.trim()
    try {
      setPerson(designer, person.trim())
      const result = await decideApproval(designer, entry, { answer, values: filled, comment: said, by })
      const message = result === 'already' ? words.already : words.done[answer]
      designer.view.getState().toast({ tone: 'good', message, hint: null })
    } catch (thrown) {
      const { code, message, hint } = recordOfThrown(thrown)
      setProblem(code === 'approval_stale' ? words.stale : `${message} ${hint}`)
      void loadInbox(designer)
    } finally {
      setSent(false)
    }
  }
  return (
    <section className={styles['approval']} data-testid="approval-form" aria-label={entry.title}>
      {entry.message !== '' && <Markdown text={entry.message} />}
      {entry.details !== null && entry.details !== '' && (
        <div className={styles['details']}>
          <h3>{words.details}</h3>
          <JsonTree value={entry.details} />
        </div>
      )}
      <ApprovalFacts entry={entry} />
      {entry.decided === null && (
        <form className={styles['answer']} onSubmit={(event) => event.preventDefault()}>
          {schema !== null && (
            <fieldset aria-label={words.form}>
              <FormProvider value={noProblems}>
                <SettingsForm
                  schema={schema}
                  value={values}
                  onChange={(key, next) => setValues(withField(values, key, next))}
                />
              </FormProvider>
            </fieldset>
          )}
          <div className={styles['field']}>
            <label htmlFor={`${field}-comment`}>{words.comment}</label>
            <textarea
              id={`${field}-comment`}
              className={controls['field']}
              data-testid="approval-comment"
              rows={2}
              placeholder={words.commentHint}
              value={comment}
              onChange={(event) => setComment(event.currentTarget.value)}
            />
          </div>
          <div className={styles['field']} data-row>
            <label htmlFor={`${field}-person`}>{words.person}</label>
            <input
              id={`${field}-person`}
              className={controls['field']}
              data-testid="approval-person"
              placeholder={words.personHint}
              value={person}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </div>
          {(problem ?? blockedWords(entry)) !== null && (
            <p className={styles['problem']} role="alert" data-testid="approval-problem">
              {problem ?? blockedWords(entry)}
            </p>
          )}
          <footer>
            {entry.answers.map((answer) => (
              <Button
                key={answer}
                icon={buttons[answer].icon}
                {...(buttons[answer].kind === undefined ? {} : { kind: buttons[answer].kind })}
                testId={`approval-${answer}`}
                title={words.hint[answer]}
                disabled={
                  isSent || entry.blocked !== null || (answer === 'push-back' && comment.trim() === '')
                }
                onClick={() => void send(answer)}
              >
                {words[answer]}
              </Button>
            ))}
            <span className={styles['seen']} title={`${words.seen}: ${entry.hash}`}>
              <Fingerprint size={13} aria-hidden />
              <code data-testid="approval-hash">{entry.hash.slice(0, 12)}</code>
            </span>
          </footer>
        </form>
      )}
    </section>
  )
}

const blockedWords = ({ blocked }: ApprovalView): string | null =>
  blocked === null ? null : words.blocked[blocked]
