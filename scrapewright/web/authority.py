"""The run's own certificate authority, and TLS over a byte stream that is not a socket."""

from __future__ import annotations

import asyncio
import ssl
from collections import OrderedDict

import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from scrapewright.web.page import ByteStream
from scrapewright.web.urls import is_address

MAX_CONTEXTS = 256
"""Certificates held, some 20 KB each."""


class Authority:
    """Certificates for the hosts that a tunnel is asked for. The key never leaves this process's memory but for the
    moment in which OpenSSL reads each leaf's from a private file.
    """

    def __init__(self) -> None:
        self._ca = trustme.CA(organization_name="scrapewright", organization_unit_name="one run")
        self._contexts: OrderedDict[str, ssl.SSLContext] = OrderedDict()
        self._making = asyncio.Lock()

    @property
    def pem(self) -> str:
        """The authority's certificate, for the client to trust."""
        return self._ca.cert_pem.bytes().decode("ascii")

    async def context(self, host: str) -> ssl.SSLContext:
        """A server's context for a host. A new one takes milliseconds of a thread, one at a time; the MAX_CONTEXTS that
        were used last are kept. Whoever asks has judged the host before: an allowed site has names without end.
        """
        async with self._making:
            context = self._contexts.get(host)
            if context is None:
                context = self._contexts[host] = await asyncio.to_thread(self._make, host)
            self._contexts.move_to_end(host)
            while len(self._contexts) > MAX_CONTEXTS:
                self._contexts.popitem(last=False)
        return context

    def _make(self, host: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        self._leaf(host).configure_cert(context)
        return context

    def _leaf(self, host: str) -> trustme.LeafCert:
        try:
            return self._ca.issue_cert(host)
        except (
            ValueError,
            UnicodeError,
        ):  # a name that IDNA would not register, but that DNS has: a_b.test, r1--x.test
            return self._plain_leaf(host)

    def _plain_leaf(self, host: str) -> trustme.LeafCert:
        """A leaf certificate for exactly this name."""
        signer = serialization.load_pem_private_key(self._ca.private_key_pem.bytes(), None)
        issuer = x509.load_pem_x509_certificate(self._ca.cert_pem.bytes())
        assert isinstance(signer, ec.EllipticCurvePrivateKey)
        key = ec.generate_private_key(ec.SECP256R1())
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
        certificate = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([]))
            .issuer_name(issuer.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(issuer.not_valid_before_utc)
            .not_valid_after(issuer.not_valid_after_utc)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=True)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(identifier, critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(signer, hashes.SHA256())
        )
        return trustme.LeafCert(
            private_key_pem=key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.TraditionalOpenSSL,
                serialization.NoEncryption(),
            ),
            server_cert_pem=certificate.public_bytes(serialization.Encoding.PEM),
            chain_to_ca=[],
        )


class TLSStream:
    """The server's side of TLS over a ByteStream; a ByteStream itself. Make it with `accept`."""

    def __init__(self, stream: ByteStream, context: ssl.SSLContext) -> None:
        self._stream = stream
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self.server_name: str | None = None
        """The name that the client asked for in its greeting, None where it named none."""
        context.sni_callback = _note_name
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        _NAMES[self._tls] = self
        self._writing = asyncio.Lock()

    @classmethod
    async def accept(cls, stream: ByteStream, context: ssl.SSLContext, seconds: float) -> TLSStream:
        """Shakes hands. Raises ConnectionError or TimeoutError."""
        self = cls(stream, context)
        try:
            async with asyncio.timeout(seconds):
                while True:
                    try:
                        self._tls.do_handshake()
                        await self._flush()
                        return self
                    except ssl.SSLWantReadError:
                        await self._flush()
                        await self._feed()
                        if self._incoming.eof:
                            raise ConnectionResetError("the client left during the TLS handshake") from None
        except ssl.SSLError as error:
            await self._flush()
            raise ConnectionAbortedError(f"the TLS handshake failed: {error.reason or error}") from error
        finally:
            _NAMES.pop(self._tls, None)

    async def read(self) -> bytes:
        while True:
            try:
                return self._tls.read(64 << 10)
            except ssl.SSLWantReadError:
                await self._flush()
                if self._incoming.eof:
                    return b""
                await self._feed()
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                return b""
            except ssl.SSLError as error:
                raise ConnectionAbortedError(f"TLS broke: {error.reason or error}") from error

    async def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                written = self._tls.write(view[: 64 << 10])
            except ssl.SSLError as error:
                raise ConnectionAbortedError(f"TLS broke: {error.reason or error}") from error
            view = view[written:]
            await self._flush()

    def waited(self, seconds: float) -> None:
        self._stream.waited(seconds)

    async def finish(self) -> None:
        """Says goodbye, so that the client can tell an end from a cut."""
        try:
            self._tls.unwrap()
        except (ssl.SSLError, ValueError):
            pass
        await self._flush()

    def close(self) -> None:
        self._stream.close()

    async def _feed(self) -> None:
        data = await self._stream.read()
        if data:
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    async def _flush(self) -> None:
        async with self._writing:  # records must leave in the order in which they were made
            data = self._outgoing.read()
            if data:
                await self._stream.write(data)


_NAMES: dict[ssl.SSLObject, TLSStream] = {}


def _note_name(tls: ssl.SSLObject | ssl.SSLSocket, name: str | None, context: ssl.SSLContext) -> None:
    stream = _NAMES.get(tls) if isinstance(tls, ssl.SSLObject) else None
    if stream is not None:
        stream.server_name = name


def name_fits(server_name: str | None, host: str) -> bool:
    """Whether the name in a client's greeting is the host that its tunnel was opened to. Addresses send none."""
    if server_name is None:
        return True
    return not is_address(host) and server_name.lower().rstrip(".") == host
