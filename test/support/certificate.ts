/** Certificates for tests, built here so that no program has to be installed for it. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** Makes a certificate that signs itself, for `hostName` and this machine, in `folder`. */
export function makeCertificate(
  folder: string,
  hostName: string,
  file = hostName,
): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const body = bodyOf(hostName, publicKey);
  const signature = bits(sign('sha256', body, privateKey));
  const base64 = der(SEQUENCE, body, ECDSA_WITH_SHA256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g)!.join('\n');
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  const certFile = join(folder, `${file}.pem`);
  const keyFile = join(folder, `${file}.key`);
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return { certFile, keyFile, cert, key };
}

const [BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING] = [0x01, 0x02, 0x03, 0x04];
const [OBJECT_ID, UTF8_STRING, UTC_TIME, SEQUENCE, SET] = [0x06, 0x0c, 0x17, 0x30, 0x31];
const TRUE = Buffer.from([0xff]);
const ECDSA_WITH_SHA256 = der(SEQUENCE, objectId('2a8648ce3d040302'));

/** What is signed: TBSCertificate of RFC 5280, 4.1. */
function bodyOf(hostName: string, publicKey: KeyObject): Buffer {
  const now_ms = Date.now();
  const commonName = der(SEQUENCE, objectId('550403'), der(UTF8_STRING, Buffer.from(hostName)));
  const name = der(SEQUENCE, der(SET, commonName));
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' });
  const names = [der(0x82, Buffer.from(hostName)), der(0x87, Buffer.from([127, 0, 0, 1]))];
  const keyId = createHash('sha1').update(publicInfo).digest();
  // Strict clients ask more of a certificate that signs others: 4.2.1.
  const extensions = [
    extension('551d11', der(SEQUENCE, ...names)),
    extension('551d13', der(SEQUENCE, der(BOOLEAN, TRUE)), { isCritical: true }),
    extension('551d0f', der(BIT_STRING, Buffer.from([1, 0b1000_0110])), { isCritical: true }),
    extension('551d0e', der(OCTET_STRING, keyId)),
  ];
  return der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    // Not negative, and without zeros before it.
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, utcTime(now_ms - DAY_MS), utcTime(now_ms + 2 * DAY_MS)),
    name,
    publicInfo,
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
}

function extension(id: string, value: Buffer, { isCritical = false } = {}): Buffer {
  const critical = isCritical ? [der(BOOLEAN, TRUE)] : [];
  return der(SEQUENCE, objectId(id), ...critical, der(OCTET_STRING, value));
}

/** A value in DER: tag, length, contents (X.690, 8.1). */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : bytes)]), content]);
}

function objectId(hex: string): Buffer {
  return der(OBJECT_ID, Buffer.from(hex, 'hex'));
}

/** Whole bytes: none of the last one's bits is unused. */
function bits(bytes: Uint8Array): Buffer {
  return der(BIT_STRING, Buffer.from([0]), bytes);
}

function utcTime(time_ms: number): Buffer {
  const digits = new Date(time_ms).toISOString().replace(/^..|\..*$|\D/g, '');
  return der(UTC_TIME, Buffer.from(`${digits}Z`));
}
