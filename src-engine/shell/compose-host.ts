/** The task kinds of the product with what they need: expressions, a sandbox, the echo service of the samples. */

import type { Clock } from '../model/ports.ts'
import { createEchoService } from '../runtime/echo-service.ts'
import type { ExpressionService } from '../runtime/expressions/expression-service.ts'
import { createExpressionService } from '../runtime/expressions/expression-service.ts'
import type { CallbackUrls, TaskHost } from '../runtime/task-host.ts'
import { createSecretSource } from '../runtime/vault/attempt-secrets.ts'
import type { Vault } from '../runtime/vault/vault.ts'
import type { ClusterEvents } from '../tasks/emit-event/cluster-events.ts'
import type { GuardedHost } from '../tasks/guarded-process.ts'
import { systemLookup } from '../tasks/http-request/host-lookup.ts'
import type { AllowedPackages } from '../tasks/javascript/packages/package-graph.ts'
import type { SandboxHost } from '../tasks/javascript/sandbox-host.ts'
import { createNodeSandboxHost } from '../tasks/javascript/sandbox-host.ts'
import { createTaskRuns } from '../tasks/runs.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { createNodeSqliteHost } from '../tasks/sql/sqlite-host.ts'
import { taskEnvironment } from './config.ts'
import { noPackagesAllowed } from './script-packages.ts'

export interface ComposedHost {
  readonly host: TaskHost
  readonly expressions: ExpressionService
  readonly close: () => Promise<void>
}

/** Without a vault, steps that name secrets fail. */
export function composeHost(given: {
  readonly clock: Clock
  /** Starts the processes of JavaScript steps; a child of this Node when absent. */
  readonly sandbox?: SandboxHost | undefined
  /** Starts the processes that work on SQLite files; a child of this Node when absent. */
  readonly sqlite?: GuardedHost | undefined
  readonly vault?: Vault | undefined
  /** Which packages code may import; none when absent. */
  readonly packages?: AllowedPackages | undefined
  /** Without it, steps that wait for web calls fail. */
  readonly callbacks?: CallbackUrls | undefined
  /** Without it, steps that tell events to clusters fail. */
  readonly clusterEvents?: ClusterEvents | undefined
}): ComposedHost {
  const { clock, sandbox, sqlite, vault, callbacks, clusterEvents, packages = noPackagesAllowed } = given
  const echo = createEchoService({ clock })
  const expressions = createExpressionService({ clock })
  const runs = createTaskRuns({
    sandbox: sandbox ?? createNodeSandboxHost(),
    packages,
    environment: taskEnvironment(),
    lookup: systemLookup,
    evaluate: expressions.evaluateOver,
    sqlite: sqlite ?? createNodeSqliteHost(),
    ...(clusterEvents === undefined ? {} : { clusterEvents }),
  })
  const host: TaskHost = {
    specsByKind: taskSpecsByKind,
    runOf: (kind) => runs.get(kind) ?? null,
    resolver: expressions,
    echoService: echo.baseUrl,
    ...(vault === undefined ? {} : { secrets: createSecretSource(vault) }),
    ...(callbacks === undefined ? {} : { callbacks }),
  }
  const close = async (): Promise<void> => {
    await Promise.all([echo.close(), expressions.close()])
  }
  return { host, expressions, close }
}
