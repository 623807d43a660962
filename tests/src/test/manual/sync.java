void query(TcpStream connection) {}
