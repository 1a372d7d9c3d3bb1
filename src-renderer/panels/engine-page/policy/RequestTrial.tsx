/** What the rules say about a made-up request, and which of them were passed on the way. */

import { MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { PolicyQuestion, PolicyTrial } from '../../../../src-engine/protocol/policy.ts'
import { FormProvider } from '../../../forms/FormProvider.tsx'
import { SettingsForm } from '../../../forms/SettingsForm.tsx'
import { withField } from '../../../forms/schema-fields.ts'
import { useDesigner, useLine } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { policyWords } from '../../../text/policy-words.ts'
import { Button } from '../../../ui/Button.tsx'
import type { TrialProps } from './PastTrial.tsx'
import styles from './Policy.module.css'
import { ruleTitle } from './policy-edits.ts'
import { requestSchema } from './rule-schema.ts'

const words = policyWords.tryOut
const form = { nodeId: null, problems: [], isReadOnly: false, onLeave: () => undefined }

export function RequestTrial({ candidate, policy }: TrialProps) {
  const designer = useDesigner()
  const line = useLine()
  const [request, setRequest] = useState<JsonObject>({})
  const [trial, setTrial] = useState<PolicyTrial | null>(null)
  const ask = async (): Promise<void> => {
    // The form's fields have the types of a request's.
    const asked = request as unknown as PolicyQuestion
    setTrial(await attempt(designer, () => line.call('policy.test', { policy: candidate, request: asked })))
  }
  return (
    <section className={styles['trial']} aria-label={words.one} data-testid="policy-request">
      <h2>{words.one}</h2>
      <p>{words.oneHint}</p>
      <div className={styles['pair']}>
        <form
          className={styles['trial']}
          onSubmit={(event) => {
            event.preventDefault()
            void ask()
          }}
        >
          <FormProvider value={form}>
            <SettingsForm
              schema={requestSchema}
              value={request}
              onChange={(key, value) => {
                setRequest(withField(request, key, value === '' ? undefined : value))
                // It was an answer to another question.
                setTrial(null)
              }}
            />
          </FormProvider>
          <Button type="submit" icon={MessageCircleQuestion} testId="policy-ask">
            {words.ask}
          </Button>
        </form>
        <div aria-live="polite">{trial !== null && <Answer trial={trial} policy={policy} />}</div>
      </div>
    </section>
  )
}

function Answer({ trial, policy }: { readonly trial: PolicyTrial } & Pick<TrialProps, 'policy'>) {
  const { decision, ruleId, reason, passed } = trial
  return (
    <div className={styles['answer']} data-testid="policy-answer">
      <b className={styles['decision']} data-decision={decision}>
        {policyWords.decisions[decision]}
      </b>
      <p>{`${words.rule}: ${ruleTitle(policy, ruleId, words.byDefault)}`}</p>
      {reason !== '' && <p>{reason}</p>}
      {passed.length > 0 && (
        <>
          <p>{words.passed}</p>
          <ol>
            {passed.map((one) => (
              <li key={one.ruleId}>{`${ruleTitle(policy, one.ruleId, '')} ${words.why[one.why]}`}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
