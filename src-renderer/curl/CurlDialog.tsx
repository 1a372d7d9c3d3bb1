/** What a pasted curl command can't bring along, and where its secrets go, before anything is written down. */

import { useState } from 'react'
import { secretNamePattern } from '../../src-engine/model/secret.ts'
import { textParameter } from '../../src-engine/model/summary.ts'
import styles from '../panels/dialogs/dialogs.module.css'
import { SendFooter } from '../panels/dialogs/SendFooter.tsx'
import { useSending } from '../panels/dialogs/use-sending.ts'
import { useDesigner, useSecrets, useView } from '../state/context.ts'
import { curlWords as words } from '../text/curl-words.ts'
import controls from '../ui/controls.module.css'
import { Modal } from '../ui/Modal.tsx'
import curl from './CurlDialog.module.css'
import type { CurlRequest, PastedCurl } from './curl-request.ts'
import type { CurlSecret } from './curl-secret.ts'
import { hostFor, secretNameFor, takeCurl } from './paste-curl.ts'

export function CurlDialog() {
  const pasted = useView((state) => state.pastedCurl)
  return pasted === null ? null : <Asked pasted={pasted} />
}

/** Where one secret goes. */
interface Place {
  readonly isKept: boolean
  readonly name: string
}

function Asked({ pasted }: { readonly pasted: PastedCurl }) {
  const { request, nodeId } = pasted
  const designer = useDesigner()
  const view = useSecrets((state) => state.view)
  const hasVault = view !== null && view.vault.problem === null
  const taken = new Set((view?.secrets ?? []).map(({ name }) => name))
  const [places, setPlaces] = useState<readonly Place[]>(() => firstPlaces(request, taken, hasVault))
  const close = (): void => designer.view.getState().askCurl(null)
  const names = places.map(({ isKept, name }) => (isKept && hasVault ? name.trim() : null))
  const problems = names.map((name, index) => problemOf(name, taken, names.slice(0, index)))
  const sending = useSending(() => takeCurl(designer, pasted, names), close)
  const change = (at: number, part: Partial<Place>): void =>
    setPlaces((before) => before.map((place, index) => (index === at ? { ...place, ...part } : place)))
  return (
    <Modal title={words.title} onClose={close} testId="curl-dialog" width={540}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          if (problems.every((problem) => problem === null)) void sending.send()
        }}
      >
        <p className={curl['request']} data-testid="curl-request">
          {textParameter(request.parameters, 'method')} {textParameter(request.parameters, 'url')}
        </p>
        {request.secrets.length > 0 && (
          <section className={curl['part']}>
            <h3>{words.secretsTitle}</h3>
            {request.secrets.map((secret, index) => (
              <SecretPlace
                key={secret.path.join('.')}
                secret={secret}
                host={hostFor(request, secret)}
                place={places[index] ?? { isKept: false, name: '' }}
                hasVault={hasVault}
                problem={problems[index] ?? null}
                onChange={(part) => change(index, part)}
              />
            ))}
          </section>
        )}
        {request.left.length > 0 && (
          <section className={curl['part']}>
            <h3>{words.leftTitle}</h3>
            <ul data-testid="curl-left">
              {request.left.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </section>
        )}
        <SendFooter
          sending={sending}
          label={nodeId === null ? words.add : words.fill}
          testId="curl-take"
          isFirst
          isDisabled={problems.some((problem) => problem !== null)}
          onClose={close}
        />
      </form>
    </Modal>
  )
}

function SecretPlace(props: {
  readonly secret: CurlSecret
  readonly host: string | null
  readonly place: Place
  readonly hasVault: boolean
  readonly problem: string | null
  readonly onChange: (part: Partial<Place>) => void
}) {
  const { secret, host, place, hasVault, problem, onChange } = props
  const isKept = place.isKept && hasVault
  return (
    <div className={curl['secret']}>
      <label className={styles['ticked']}>
        <input
          type="checkbox"
          data-testid="curl-keep"
          checked={isKept}
          disabled={!hasVault}
          onChange={(event) => onChange({ isKept: event.currentTarget.checked })}
        />
        {words.keep(secret.title)}
      </label>
      {isKept && (
        <input
          className={controls['field']}
          data-testid="curl-secret-name"
          aria-label={words.nameOf(secret.title)}
          aria-invalid={problem !== null}
          autoComplete="off"
          spellCheck={false}
          value={place.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      {problem !== null && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      {isKept && problem === null && host !== null && <small>{words.bound(host)}</small>}
      {!isKept && (
        <small data-testid="curl-plain" data-tone="warning">
          {hasVault ? words.plain : `${words.noVault} ${words.plain}`}
        </small>
      )}
    </div>
  )
}

function firstPlaces(request: CurlRequest, taken: ReadonlySet<string>, isKept: boolean): readonly Place[] {
  const used = new Set(taken)
  return request.secrets.map((secret) => {
    const name = secretNameFor(hostFor(request, secret), secret.kind, used)
    used.add(name)
    return { isKept, name }
  })
}

function problemOf(
  name: string | null,
  taken: ReadonlySet<string>,
  before: readonly (string | null)[],
): string | null {
  if (name === null) return null
  if (!secretNamePattern.test(name)) return words.nameWrong
  return taken.has(name) || before.includes(name) ? words.nameTaken : null
}
