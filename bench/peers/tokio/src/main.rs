// SPDX-License-Identifier: Apache-2.0

//! Echoes on tokio's scheduler of one thread: tokio_server PORT|version
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

async fn serve(mut peer: TcpStream) {
    let mut buffer = [0u8; 1 << 14];
    loop {
        match peer.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(count) => {
                if peer.write_all(&buffer[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

async fn listen(port: u16) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(([127, 0, 0, 1], port).into())?;
    let listener = socket.listen(4096)?;
    loop {
        let (peer, _) = listener.accept().await?;
        peer.set_nodelay(true)?;
        tokio::spawn(serve(peer));
    }
}

fn main() {
    let argument = std::env::args().nth(1).expect("a port");
    if argument == "version" {
        println!("tokio {}, {}", env!("TOKIO"), env!("RUSTC_VERSION"));
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .expect("a runtime");
    runtime
        .block_on(listen(argument.parse().expect("a port")))
        .expect("to serve");
}
