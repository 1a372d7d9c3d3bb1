/** What is wrong with a field, below it. */

import type { Problem } from '../../src-engine/model/problem.ts'
import { CodeWords } from '../ui/CodeWords.tsx'
import { inPlace } from './field-problem.ts'
import styles from './forms.module.css'

export function FieldProblems({ problems }: { readonly problems: readonly Problem[] }) {
  return problems.map((problem) => (
    <p
      key={problem.code + problem.message}
      className={styles['problem']}
      data-severity={problem.severity}
      role="alert"
    >
      <CodeWords text={inPlace(problem.message)} />{' '}
      <span>
        <CodeWords text={problem.hint} />
      </span>
    </p>
  ))
}
