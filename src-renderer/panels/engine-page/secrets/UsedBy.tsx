/** Who names a secret: each workflow with its steps and triggers, each the way there. */

import own from '../../../secrets/Secrets.module.css'
import type { SecretUsage } from '../../../secrets/secret-usage.ts'
import { usersOf } from '../../../secrets/secret-usage.ts'
import { useDesigner } from '../../../state/context.ts'
import { showSecretUse } from '../../../state/show-secret-use.ts'

/** More are counted; the rest is found in the workflow itself. */
const shownMax = 6

export function UsedBy({ usages }: { readonly usages: readonly SecretUsage[] }) {
  const designer = useDesigner()
  return (
    <ul className={own['used']}>
      {usersOf(usages).map(({ key, title, usages: all }) => (
        <li key={key}>
          {all[0]?.at.kind === 'cluster' ? 'Cluster' : title}
          {all.slice(0, shownMax).map((usage) => (
            <button
              key={usage.nodeId ?? usage.triggerId ?? ''}
              type="button"
              data-testid={`secret-use-${usage.nodeId ?? usage.triggerId ?? title}`}
              aria-label={`Show ${usage.label} of ${title}`}
              onClick={() => void showSecretUse(designer, usage)}
            >
              {usage.label}
            </button>
          ))}
          {all.length > shownMax && <small>{`and ${all.length - shownMax} more`}</small>}
        </li>
      ))}
    </ul>
  )
}
