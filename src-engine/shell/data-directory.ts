/** The layout of a data directory: everything durable of one engine lies below one folder. */

import { chmodSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SagasmithError } from '../model/errors.ts'

export interface DataDirectory {
  readonly root: string
  readonly database: string
  readonly blobs: string
  readonly backups: string
  /** The workspace: workflow files that the library lists. */
  readonly workflows: string
  /** Tasks that people made. */
  readonly tasks: string
  readonly drafts: string
  /** What can be undone of documents. */
  readonly undo: string
  /** What documents were at saves and named moments. */
  readonly checkpoints: string
  readonly logs: string
  /** The clusters that it knows. */
  readonly clusters: string
  /** Runs of clusters that were copied here. */
  readonly pulled: string
  /** What was written to clusters and replicas may lack, and what a failover took for good. */
  readonly journals: string
  /** The documents that its owner trusts, with what they may touch. */
  readonly trustedDocuments: string
  /** What its runners trust. */
  readonly trust: string
  /** Private keys to sign definitions with. */
  readonly signingKeys: string
  readonly lock: string
  /** Address of the `serve` under way. */
  readonly serveSession: string
  readonly socket: string
  /** The secrets, sealed. */
  readonly vault: string
  /** When they were last used. */
  readonly vaultUses: string
  /** The vault's key, where neither a key store nor a passphrase nor another place was chosen. */
  readonly vaultKey: string
  /** From which the secret parts of webhooks' addresses follow. */
  readonly webhookKey: string
}

/** The places of a data directory; nothing is created. */
export function dataDirectory(path: string): DataDirectory {
  const root = resolve(path)
  return {
    root,
    database: join(root, 'sagasmith.db'),
    blobs: join(root, 'blobs'),
    backups: join(root, 'backups'),
    workflows: join(root, 'workflows'),
    tasks: join(root, 'tasks'),
    drafts: join(root, 'drafts'),
    undo: join(root, 'undo'),
    checkpoints: join(root, 'checkpoints'),
    logs: join(root, 'logs'),
    clusters: join(root, 'clusters.json'),
    pulled: join(root, 'pulled.db'),
    journals: join(root, 'journals'),
    trustedDocuments: join(root, 'trusted-documents.json'),
    trust: join(root, 'trust.json'),
    signingKeys: join(root, 'signing-keys'),
    lock: join(root, 'engine.lock'),
    serveSession: join(root, 'serve-session.json'),
    socket: join(root, 'engine.sock'),
    vault: join(root, 'vault.json'),
    vaultUses: join(root, 'vault-uses.json'),
    vaultKey: join(root, 'vault.key'),
    webhookKey: join(root, 'webhook.key'),
  }
}

/** Creates what is missing. Only its owner may look inside: runs hold whatever people feed them. */
export function createDataDirectory(directory: DataDirectory): void {
  try {
    const isNew = mkdirSync(directory.root, { recursive: true, mode: 0o700 }) !== undefined
    if (isNew) chmodSync(directory.root, 0o700)
    for (const folder of [
      directory.blobs,
      directory.backups,
      directory.workflows,
      directory.drafts,
      directory.logs,
    ]) {
      mkdirSync(folder, { recursive: true })
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SagasmithError('store_failed', {
      message: `The data directory ${directory.root} can’t be used: ${reason}.`,
      hint: 'Choose another directory with --data, or correct the permissions of this one.',
      details: { path: directory.root },
      cause,
    })
  }
}
