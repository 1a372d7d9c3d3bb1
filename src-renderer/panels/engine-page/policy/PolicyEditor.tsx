/** The rules of the safety policy: a list in the order in which they are asked, and the chosen one's form. */

import { ChevronDown, ChevronUp, Plus, Trash2 } from 'lucide-react'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { PolicyDocument, PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import type { Problem } from '../../../../src-engine/model/problem.ts'
import { FormProvider } from '../../../forms/FormProvider.tsx'
import { SettingsForm } from '../../../forms/SettingsForm.tsx'
import { withField } from '../../../forms/schema-fields.ts'
import { policyWords as words } from '../../../text/policy-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './Policy.module.css'
import type { PolicyFault } from './policy-edits.ts'
import { faultsWithin, matchWords, moved, withNewRule, withoutRule, withRule } from './policy-edits.ts'
import { RuleList } from './RuleList.tsx'
import { formOfRule, ruleOfForm } from './rule-form.ts'
import { policySchema, ruleSchema } from './rule-schema.ts'

export interface PolicyEditorProps {
  readonly policy: PolicyDocument
  readonly faults: readonly PolicyFault[]
  /** The place of the chosen rule. */
  readonly index: number
  readonly onChoose: (index: number) => void
  readonly onChange: (policy: PolicyDocument) => void
}

export function PolicyEditor({ policy, faults, index, onChoose, onChange }: PolicyEditorProps) {
  const chosen = Math.min(index, policy.rules.length)
  const rule = policy.rules[chosen]
  const move = (from: number, to: number): void => {
    const next = moved(policy, from, to)
    if (next === policy) return
    onChange(next)
    onChoose(to)
  }
  const add = (): void => {
    onChange(withNewRule(policy).policy)
    onChoose(policy.rules.length)
  }
  return (
    <div className={styles['editor']}>
      <section className={styles['side']} aria-label={words.rules}>
        <RuleList policy={policy} faults={faults} chosen={chosen} onChoose={onChoose} onMove={move} />
        <footer>
          <Button isSmall icon={Plus} testId="policy-add" onClick={add}>
            {words.add}
          </Button>
          <small>{policy.rules.length > 1 ? words.keys : ''}</small>
        </footer>
      </section>
      {rule === undefined ? (
        <Otherwise policy={policy} faults={faults} onChange={onChange} />
      ) : (
        <article className={styles['rule']} data-testid="policy-rule">
          <header>
            <h2>{rule.title ?? rule.id}</h2>
            <IconButton
              icon={ChevronUp}
              label={words.up}
              disabled={chosen === 0}
              onClick={() => move(chosen, chosen - 1)}
            />
            <IconButton
              icon={ChevronDown}
              label={words.down}
              disabled={chosen === policy.rules.length - 1}
              onClick={() => move(chosen, chosen + 1)}
            />
            <IconButton
              icon={Trash2}
              label={words.remove}
              onClick={() => onChange(withoutRule(policy, chosen))}
            />
          </header>
          <RuleForm
            key={chosen}
            rule={rule}
            faults={faultsWithin(faults, `rules[${chosen}].`)}
            onChange={(next) => onChange(withRule(policy, chosen, next))}
          />
        </article>
      )}
    </div>
  )
}

/** What counts where no rule applies, and for the policy as a whole. */
function Otherwise({ policy, faults, onChange }: Omit<PolicyEditorProps, 'index' | 'onChoose'>) {
  // A policy is JSON data.
  const value = policy as unknown as JsonObject
  const set = (next: JsonObject): void => onChange(next as unknown as PolicyDocument)
  return (
    <article className={styles['rule']} data-testid="policy-whole">
      <header>
        <h2>{policy.rules.length === 0 ? words.always : words.otherwise}</h2>
      </header>
      {policy.rules.length === 0 && <p className={styles['lead']}>{words.empties[policy.defaultDecision]}</p>}
      <FormProvider value={formOf(faults.filter(({ path }) => !path.startsWith('rules')))}>
        <SettingsForm
          schema={policySchema}
          value={value}
          onChange={(key, next) => set(withField(value, key, next === '' ? undefined : next))}
        />
      </FormProvider>
    </article>
  )
}

function RuleForm(props: {
  readonly rule: PolicyRule
  readonly faults: readonly PolicyFault[]
  readonly onChange: (rule: PolicyRule) => void
}) {
  const { rule, faults, onChange } = props
  const value = formOfRule(rule)
  return (
    <FormProvider value={formOf(faults)}>
      <SettingsForm
        schema={ruleSchema}
        value={value}
        summaries={{ [words.fields.matchGroup]: matchWords(rule, words.everything) }}
        onChange={(key, next) => onChange(ruleOfForm(withField(value, key, next)))}
      />
    </FormProvider>
  )
}

const formOf = (faults: readonly PolicyFault[]) => ({
  nodeId: null,
  isReadOnly: false,
  onLeave: () => undefined,
  problems: faults.map(
    ({ path, message }): Problem => ({
      severity: 'error',
      code: 'policy_invalid',
      nodeId: null,
      edgeId: null,
      field: path,
      message,
      hint: '',
    }),
  ),
})
